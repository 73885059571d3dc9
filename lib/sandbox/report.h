// Where the run record goes, out of the command's reach: chosen and opened before the command starts, written after the
// whole tree is dead.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"

namespace assay {

// Throws Error unless each kept descriptor was open when we started, or if one of them, or 0, 1 or 2, is a folder. Called
// before anything else is opened.
void check_inherited(const std::vector<int>& kept);

class Report {
 public:
  Report() = default;  // nowhere
  // A descriptor's number or a file's name. `reachable`: the descriptors that the command has; Error if the report
  // would go to one of them.
  Report(const std::string& where, const std::vector<int>& reachable);
  void write(const std::string& line);

 private:
  int descriptor_ = -1;  // the caller's
  std::string name_;
  Fd device_;
  Fd folder_;  // of the file; held, because the command may rename what leads to it
};

}  // namespace assay
