#include "timing/progress.h"

#include <unistd.h>

#include "base/fd.h"

namespace assay {

std::function<void(const std::string& line)> terminal_progress(const std::string& program) {
  if (!::isatty(2)) return {};
  return [program](const std::string& line) {
    write_all(2, line.empty() ? "\r\033[K" : "\r\033[K" + program + ": " + line, "standard error");
  };
}

}  // namespace assay
