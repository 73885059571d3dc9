// Where this installation keeps its parts, found from the running program's own place, so that a build folder and
// a relocated install both work: PREFIX/bin/TOOL uses PREFIX/share/assay, build/bin/TOOL uses the source tree.
#pragma once

#include <string>

namespace assay {

std::string program_path(const std::string& name);  // bin/NAME beside the running program
std::string helper_path(const std::string& name);   // libexec/assay/NAME: programs no person starts
std::string data_path(const std::string& relative); // policies/…, kernels/…; throws Error if absent

}  // namespace assay
