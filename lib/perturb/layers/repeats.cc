// Layers that change nothing, only the values, or only the pointers, in one process.
#include "perturb/layers.h"

namespace assay {
namespace {

// A sum in another order is another sum: two honest results may differ, but each is right and they are close.
constexpr double repeat_share = 0.5;

Failure compare_repeat(Perturbing& p, const Case& c, const std::vector<std::vector<std::byte>>& first,
                       const std::string& where) {
  for (size_t i = 0; i < first.size(); ++i) {
    Comparison compared = p.subject.difference(c, i, first[i], p.subject.outputs()[i], repeat_share);
    if (!compared.ok)
      return failure(c, "nondeterministic", "the same input gives another result " + where + ": " + compared.summary);
  }
  return std::nullopt;
}

bool plain_values(const Tensor& t) { return is_floating(t.spec.dtype) && t.spec.elements() > 1; }

}  // namespace

Failure same_input_twice(Perturbing& p) {
  Case c = p.task.make_case(by_cost(p.task).front(), p.random);
  std::vector<Tensor> expected = p.oracle.expect(c);
  if (Failure f = p.subject.run_anew(c, expected, "wrong_output")) return f;
  std::vector<std::vector<std::byte>> first = p.subject.outputs();
  if (Failure f = p.subject.run(c, expected, "nondeterministic")) return f;
  if (Failure f = compare_repeat(p, c, first, "when called again")) return f;
  if (Failure f = p.subject.restart()) return f;
  if (Failure f = p.subject.run_anew(c, expected, "nondeterministic")) return f;
  return compare_repeat(p, c, first, "in another process");
}

// All inputs new; then one input new and the others as they were; then one element of one input. Whoever recognises a
// call by its pointers, or by a sample of its inputs, gives an old answer.
Failure new_values_same_pointers(Perturbing& p) {
  Workload workload = by_cost(p.task).front();
  Case c = p.task.make_case(workload, p.random);
  if (Failure f = p.subject.run_anew(c, p.oracle.expect(c), "wrong_output")) return f;
  Case fresh = p.task.make_case(workload, p.random);
  for (size_t i = 0; i < c.inputs.size(); ++i)  // a generator may size an input by its values
    if (fresh.inputs[i].spec.shape != c.inputs[i].spec.shape) return std::nullopt;
  if (Failure f = p.subject.run(fresh, p.oracle.expect(fresh), "stale_output")) return f;
  Case other = p.task.make_case(workload, p.random);
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    if (!plain_values(c.inputs[i])) continue;
    fresh.inputs[i].data = other.inputs[i].data;
    if (Failure f = p.subject.run(fresh, p.oracle.expect(fresh), "stale_output")) return f;
  }
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    Tensor& input = fresh.inputs[i];
    if (!plain_values(input)) continue;
    int64_t at = static_cast<int64_t>(p.random.below(static_cast<uint64_t>(input.spec.elements())));
    store(input.spec.dtype, input.data, at, load(input.spec.dtype, input.data, at) + 8);
    if (Failure f = p.subject.run(fresh, p.oracle.expect(fresh), "stale_output")) return f;
  }
  return std::nullopt;
}

Failure same_values_new_pointers(Perturbing& p) {
  Case c = p.task.make_case(by_cost(p.task).front(), p.random);
  std::vector<Tensor> expected = p.oracle.expect(c);
  for (int i = 0; i < 3; ++i)
    if (Failure f = p.subject.run_anew(c, expected, i ? "depends_on_pointers" : "wrong_output")) return f;
  return std::nullopt;
}

}  // namespace assay
