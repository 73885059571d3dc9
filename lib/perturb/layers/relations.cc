// The task's relations: inputs are transformed, and the outputs must follow as is known exactly, without a reference.
#include "perturb/layers.h"

namespace assay {
namespace {

Failure follow(Perturbing& p, const Case& base, const std::vector<Tensor>& expected, const Task::Transform& transform,
               const std::string& name) {
  Case c = base;
  std::vector<Tensor> result = expected;
  transform.apply_inputs(c.inputs);
  transform.apply_expected(result);
  Failure f = p.subject.run_anew(c, result, "breaks_relation");
  if (f && f->reason == "breaks_relation") f->message = "relation " + name + " does not hold: " + f->message;
  return f;
}

}  // namespace

// Each relation on the smallest public workload and on one hidden shape; then all at once on the largest workload.
Failure relations(Perturbing& p) {
  if (p.task.relations().empty()) return std::nullopt;
  std::vector<Workload> workloads = by_cost(p.task);
  uint64_t kind = p.random.below(static_cast<uint64_t>(std::max(p.task.perturb_kinds(), 1)));
  std::vector<Workload> bases = {workloads.front()};
  if (p.task.perturb_kinds() > 0) bases.push_back(p.task.draw(static_cast<int>(kind), p.random));
  for (const Workload& workload : bases) {
    Case c = p.task.make_case(workload, p.random);
    std::vector<Tensor> expected = p.oracle.expect(c);
    if (Failure f = p.subject.run_anew(c, expected, "wrong_output")) return f;
    for (const std::string& name : p.task.relations())
      if (Failure f = follow(p, c, expected, *p.task.relation(name, c, p.random), name)) return f;
  }
  Case c = p.task.make_case(workloads.back(), p.random);
  std::vector<Tensor> expected = p.oracle.expect(c);
  if (Failure f = p.subject.run_anew(c, expected, "wrong_output")) return f;
  return follow(p, c, expected, *p.task.all_relations(c, p.random), "all together");
}

}  // namespace assay
