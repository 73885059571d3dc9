// Layers that change what is computed: public workloads, hidden shapes, needles.
#include "perturb/layers.h"

namespace assay {

Failure public_workloads(Perturbing& p) {
  for (const Prepared& prepared : p.publics)
    if (Failure f = p.subject.run_anew(prepared.c, prepared.expected, "wrong_output")) return f;
  return std::nullopt;
}

Failure hidden_axes(Perturbing& p) {
  for (int kind = 0; kind < p.task.perturb_kinds(); ++kind) {
    Prepared hidden = p.prepare(p.task.draw(kind, p.random));
    if (Failure f = p.subject.run_anew(hidden.c, hidden.expected, "wrong_on_hidden_shape")) return f;
  }
  return std::nullopt;
}

// Every public workload and every region of hidden shapes: a kernel may skip only where there is much to skip.
Failure needles(Perturbing& p) {
  if (!p.task.needles()) return std::nullopt;
  std::vector<Workload> workloads = p.task.workloads();
  for (int kind = 0; kind < p.task.perturb_kinds(); ++kind) workloads.push_back(p.task.draw(kind, p.random));
  for (const Workload& workload : workloads) {
    Prepared planted = p.prepare(workload, true);
    if (Failure f = p.subject.run_anew(planted.c, planted.expected, "misses_needle")) return f;
  }
  return std::nullopt;
}

}  // namespace assay
