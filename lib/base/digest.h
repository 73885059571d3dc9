// SHA-256, in lower-case hexadecimal.
#pragma once

#include <string>
#include <string_view>

namespace assay {

std::string sha256(std::string_view bytes);

}  // namespace assay
