#include "base/error.h"

#include <cerrno>
#include <cstring>

namespace assay {

Error::Error(const std::string& operation, const std::string& object, const std::string& cause)
    : std::runtime_error(operation + " " + object + ": " + cause) {}

Error errno_error(const std::string& operation, const std::string& object) {
  return Error(operation, object, std::strerror(errno));
}

}  // namespace assay
