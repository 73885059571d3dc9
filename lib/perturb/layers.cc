#include "perturb/layers.h"

#include <map>

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

Prepared Perturbing::prepare(const Workload& workload, bool needle) {
  Case c = task.make_case(workload, random, needle);
  std::vector<Tensor> expected = oracle.expect(c);
  return {std::move(c), std::move(expected)};
}

std::vector<const Prepared*> Perturbing::smallest() const {
  std::map<std::map<std::string, Dtype>, const Prepared*> best;
  for (const Prepared& candidate : publics) {
    const Prepared*& least = best[candidate.c.workload.dtypes];
    if (!least || task.cost(candidate.c.workload).bytes < task.cost(least->c.workload).bytes) least = &candidate;
  }
  std::vector<const Prepared*> result;
  for (const auto& [dtypes, least] : best) result.push_back(least);
  return result;
}

}  // namespace assay
