#include "record/audit.h"

#include <nlohmann/json.hpp>

namespace assay {

Json to_json(const Mutant& mutant) {
  return {{"kind", "audit"},
          {"v", 1},
          {"task", mutant.task},
          {"workload", mutant.workload},
          {"mutant", mutant.name},
          {"passed", mutant.passed},
          {"sound", mutant.sound()},
          {"absolute_error", mutant.absolute_error},
          {"relative_l2", mutant.relative_l2}};
}

}  // namespace assay
