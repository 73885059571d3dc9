// One error type for the whole library: what was being done, to what, and why it failed.
//
//   throw Error("open", path, "is a directory");        // open k.cc: is a directory
//   throw errno_error("open", path);                    // open k.cc: No such file or directory
//
// Verdicts on a candidate are return values, never errors. An Error means that Assay itself could not do its job.
#pragma once

#include <stdexcept>
#include <string>

namespace assay {

class Error : public std::runtime_error {
 public:
  Error(const std::string& operation, const std::string& object, const std::string& cause);
};

// The cause is errno's text; call it before anything can overwrite errno.
Error errno_error(const std::string& operation, const std::string& object);

}  // namespace assay
