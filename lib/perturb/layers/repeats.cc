// Layers that change nothing, only the values, or only the pointers, in one process.
#include "perturb/layers.h"

namespace assay {
namespace {

// A sum in another order is another sum: two honest results may differ, but each is right and they are close.
constexpr double repeat_share = 0.5;
constexpr double one_element_step = 8;  // far beyond the spread of ordinary values: it shows in the result

Failure compare_repeat(Perturbing& p, const Case& c, const std::vector<std::vector<std::byte>>& first,
                       const std::string& where) {
  for (size_t i = 0; i < first.size(); ++i) {
    Comparison compared = p.subject.difference(c, i, first[i], p.subject.outputs()[i], repeat_share);
    if (!compared.ok)
      return failure(c, "nondeterministic", "the same input gives another result " + where + ": " + compared.summary);
  }
  return std::nullopt;
}

}  // namespace

Failure same_input_twice(Perturbing& p) {
  std::vector<std::vector<std::vector<std::byte>>> first;
  for (const Prepared* base : p.smallest()) {
    if (Failure f = p.subject.run_anew(base->c, base->expected, "wrong_output")) return f;
    first.push_back(p.subject.outputs());
    if (Failure f = p.subject.run(base->c, base->expected, "nondeterministic")) return f;
    if (Failure f = compare_repeat(p, base->c, first.back(), "when called again")) return f;
  }
  if (Failure f = p.subject.restart()) return f;
  for (size_t i = 0; i < first.size(); ++i) {
    const Prepared* base = p.smallest()[i];
    if (Failure f = p.subject.run_anew(base->c, base->expected, "nondeterministic")) return f;
    if (Failure f = compare_repeat(p, base->c, first[i], "in another process")) return f;
  }
  return std::nullopt;
}

// All inputs new; then one element of one input, the others as they were. Whoever recognises a call by its pointers, or
// by a sample of its inputs, gives an old answer.
Failure new_values_same_pointers(Perturbing& p) {
  for (const Prepared* base : p.smallest()) {
    if (Failure f = p.subject.run_anew(base->c, base->expected, "wrong_output")) return f;
    Prepared fresh = p.prepare(base->c.workload);
    if (Failure f = p.subject.run(fresh.c, fresh.expected, "stale_output")) return f;
    if (base != p.smallest().front()) continue;
    for (Tensor& input : fresh.c.inputs) {
      if (!is_floating(input.spec.dtype) || input.spec.elements() < 2) continue;
      int64_t at = static_cast<int64_t>(p.random.below(static_cast<uint64_t>(input.spec.elements())));
      store(input.spec.dtype, input.data, at, load(input.spec.dtype, input.data, at) + one_element_step);
      if (Failure f = p.subject.run(fresh.c, p.oracle.expect(fresh.c), "stale_output")) return f;
    }
  }
  return std::nullopt;
}

Failure same_values_new_pointers(Perturbing& p) {
  for (const Prepared* base : p.smallest())
    for (int i = 0; i < 3; ++i)
      if (Failure f = p.subject.run_anew(base->c, base->expected, "depends_on_pointers")) return f;
  return std::nullopt;
}

}  // namespace assay
