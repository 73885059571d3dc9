// The task's relations: inputs are transformed, and the outputs must follow as is known exactly, without a reference.
#include "perturb/layers.h"

namespace assay {
namespace {

Failure follow(Perturbing& p, const Prepared& base, const Task::Transform& transform, const std::string& name) {
  Prepared moved = base;
  transform.apply_inputs(moved.c.inputs);
  transform.apply_expected(moved.expected);
  Failure f = p.subject.run_anew(moved.c, moved.expected, "breaks_relation");
  if (f && f->reason == "breaks_relation") f->message = "relation " + name + " does not hold: " + f->message;
  return f;
}

}  // namespace

// Each relation on a small public workload and on one hidden shape; then all at once on any public one, whose every byte
// is then new.
Failure relations(Perturbing& p) {
  if (p.task.relations().empty()) return std::nullopt;
  std::vector<const Prepared*> bases = p.smallest();
  bases.resize(1);
  Prepared hidden;
  if (p.task.perturb_kinds() > 0) {
    uint64_t kind = p.random.below(static_cast<uint64_t>(p.task.perturb_kinds()));
    hidden = p.prepare(p.task.draw(static_cast<int>(kind), p.random));
    if (Failure f = p.subject.run_anew(hidden.c, hidden.expected, "wrong_on_hidden_shape")) return f;
    bases.push_back(&hidden);
  }
  for (const Prepared* base : bases)
    for (const std::string& name : p.task.relations())
      if (Failure f = follow(p, *base, *p.task.relation(name, base->c, p.random), name)) return f;
  const Prepared& any = p.publics[p.random.below(p.publics.size())];
  return follow(p, any, *p.task.all_relations(any.c, p.random), "all together");
}

}  // namespace assay
