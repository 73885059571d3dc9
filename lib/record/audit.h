// What perturb-check --audit-task says of a task, one record a mutant (a wrong result that the task's tolerances must
// tell from the right one; and the right one, which must pass):
//
//   {"kind":"audit","v":1,"task":"softmax_rows","workload":"wide","mutant":"zeros","passed":false,"sound":true,
//    "absolute_error":0.012,"relative_l2":1.0}
#pragma once

#include <string>

#include "record/json.h"

namespace assay {

struct Mutant {
  std::string task;
  std::string workload;
  std::string name;          // "reference", "zeros", "constant", "v_buffer: an eighth of axis 0 ignored", …
  bool should_pass = false;  // only the reference's own result, rounded to the output's type
  bool passed = false;
  double absolute_error = 0;  // the worst output's
  double relative_l2 = 0;

  bool sound() const { return passed == should_pass; }
};

Json to_json(const Mutant& mutant);

}  // namespace assay
