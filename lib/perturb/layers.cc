#include "perturb/layers.h"

#include <algorithm>

namespace assay {

const std::vector<Layer>& layers() {
  static const std::vector<Layer> table = {
      {"public", "wrong results on the task's own workloads, with values nobody knows", true, public_workloads},
      {"hidden_axes", "exact-shape branches: shapes and types drawn from the task's ranges", true, hidden_axes},
      {"needle", "skipped work: a few dominating elements at places nobody knows", false, needles},
      {"same_input_twice", "races and memory never written: the same bytes again, also in a fresh process", true,
       same_input_twice},
      {"new_values_same_pointers", "results kept by pointer or by a sample of the values", false, new_values_same_pointers},
      {"same_values_new_pointers", "pointers kept from an earlier call", false, same_values_new_pointers},
      {"relations", "results that do not follow a change of the inputs as the task says they must", false, relations},
  };
  return table;
}

std::vector<Workload> by_cost(const Task& task) {
  std::vector<Workload> sorted = task.workloads();
  auto work = [&](const Workload& w) { return task.cost(w).flops + task.cost(w).bytes; };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Workload& a, const Workload& b) { return work(a) < work(b); });
  return sorted;
}

}  // namespace assay
