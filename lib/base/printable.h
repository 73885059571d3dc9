// Text from a candidate, fit for a person's terminal.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Control characters, C1 ones (U+0080 to U+009F) too, become spaces; newlines and tabs stay.
std::string printable(std::string_view text);

}  // namespace assay
