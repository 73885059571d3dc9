// A line on a terminal that overwrites itself.
#pragma once

#include <functional>
#include <string>

namespace assay {

// Empty where stderr is no terminal. An empty line wipes it.
std::function<void(const std::string& line)> terminal_progress(const std::string& program);

}  // namespace assay
