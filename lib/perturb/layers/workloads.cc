// Layers that change what is computed: public workloads, hidden shapes, needles.
#include "perturb/layers.h"

namespace assay {

Failure public_workloads(Perturbing& p) {
  for (const Workload& workload : p.task.workloads()) {
    Case c = p.task.make_case(workload, p.random);
    if (Failure f = p.subject.run_anew(c, p.oracle.expect(c), "wrong_output")) return f;
  }
  return std::nullopt;
}

Failure hidden_axes(Perturbing& p) {
  for (int kind = 0; kind < p.task.perturb_kinds(); ++kind) {
    Case c = p.task.make_case(p.task.draw(kind, p.random), p.random);
    if (Failure f = p.subject.run_anew(c, p.oracle.expect(c), "wrong_on_hidden_shape")) return f;
  }
  return std::nullopt;
}

// Every public workload (a kernel may skip work only where there is much of it), and every region of hidden shapes.
Failure needles(Perturbing& p) {
  if (!p.task.needles()) return std::nullopt;
  std::vector<Workload> workloads = p.task.workloads();
  for (int kind = 0; kind < p.task.perturb_kinds(); ++kind) workloads.push_back(p.task.draw(kind, p.random));
  for (const Workload& workload : workloads) {
    Case c = p.task.make_case(workload, p.random, true);
    if (Failure f = p.subject.run_anew(c, p.oracle.expect(c), "misses_needle")) return f;
  }
  return std::nullopt;
}

}  // namespace assay
