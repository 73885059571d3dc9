// A mutant is a result, not a program: what a kernel would write that ignores a slice of an input is what the reference
// writes when that slice holds other values. So no mutant has to be written for any task.
#include "perturb/audit.h"

#include <algorithm>
#include <optional>

#include "perturb/oracle.h"
#include "task/compare.h"

namespace assay {
namespace {

constexpr int64_t share = 8;  // a slice is one part of so many, of one axis

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](const Tensor& x, const Tensor& y) { return x.data == y.data; });
}

struct Auditor {
  const Task& task;
  const Case& c;
  const std::vector<Tensor>& expected;

  // `result` as a kernel would write it: rounded to the outputs' types.
  Mutant judge(const std::string& name, const std::vector<Tensor>& result, bool should_pass) const {
    Mutant mutant{.task = task.name(), .workload = c.workload.name, .name = name, .should_pass = should_pass, .passed = true};
    for (size_t i = 0; i < c.outputs.size(); ++i) {
      const TensorSpec& spec = c.outputs[i];
      Tensor written(spec);
      for (int64_t j = 0; j < spec.elements(); ++j)
        store(spec.dtype, written.data, j, load(Dtype::float64, result[i].data, j));
      Comparison compared = compare(spec, written.data, expected[i], task.tolerance(spec.name, spec.dtype));
      mutant.passed = mutant.passed && compared.ok;
      mutant.absolute_error = std::max(mutant.absolute_error, compared.max_absolute_error);
      mutant.relative_l2 = std::max(mutant.relative_l2, compared.max_relative_l2);
    }
    return mutant;
  }

  // Every element of every output the same: 0, or the mean.
  std::vector<Tensor> constant(bool mean) const {
    std::vector<Tensor> result = expected;
    for (Tensor& t : result) {
      int64_t n = t.spec.elements();
      double value = 0;
      for (int64_t j = 0; mean && j < n; ++j) value += load(Dtype::float64, t.data, j);
      if (n > 0) value /= static_cast<double>(n);
      for (int64_t j = 0; j < n; ++j) store(Dtype::float64, t.data, j, value);
    }
    return result;
  }
};

// Copies the elements whose index along the axis lies in [first, last) from one tensor to another of its shape.
void copy_slice(const Tensor& from, Tensor& to, size_t axis, int64_t first, int64_t last) {
  int64_t inner = static_cast<int64_t>(dtype_bytes(from.spec.dtype)), outer = 1;
  for (size_t i = 0; i < from.spec.shape.size(); ++i) (i < axis ? outer : inner) *= i == axis ? 1 : from.spec.shape[i];
  int64_t extent = from.spec.shape[axis];
  for (int64_t o = 0; o < outer; ++o)
    std::copy(from.data.begin() + (o * extent + first) * inner, from.data.begin() + (o * extent + last) * inner,
              to.data.begin() + (o * extent + first) * inner);
}

// One part of one axis of one input.
struct Slice {
  size_t input, axis;
  int64_t first, last;
};

std::vector<Slice> slices(const Case& c, Random& random) {
  std::vector<Slice> result;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const TensorSpec& spec = c.inputs[i].spec;
    if (!is_floating(spec.dtype)) continue;  // values only: another index is another problem
    for (size_t axis = 0; axis < spec.shape.size(); ++axis) {
      int64_t length = spec.shape[axis] / share;
      if (length == 0) continue;
      int64_t first = static_cast<int64_t>(random.below(static_cast<uint64_t>(spec.shape[axis] - length + 1)));
      result.push_back({i, axis, first, first + length});
    }
  }
  return result;
}

struct Bench {
  const Task& task;
  Oracle oracle;
  Random random;

  // What a kernel that ignores the slice gives; nothing if the slice does not matter.
  std::optional<Mutant> ignoring(const Slice& slice, const Case& c, const std::vector<Tensor>& expected) {
    Case other = task.make_case(c.workload, random);
    if (other.inputs[slice.input].spec.shape != c.inputs[slice.input].spec.shape) return std::nullopt;
    Case mutated = c;
    copy_slice(other.inputs[slice.input], mutated.inputs[slice.input], slice.axis, slice.first, slice.last);
    std::vector<Tensor> result = oracle.expect(mutated);
    if (same(result, expected)) return std::nullopt;
    std::string name = c.inputs[slice.input].spec.name + ": an eighth of axis " + std::to_string(slice.axis) + " ignored";
    return Auditor{task, c, expected}.judge(name, result, false);
  }
};

}  // namespace

void audit(const Task& task, uint64_t seed, const std::function<void(const Mutant&)>& report) {
  Bench bench{task, Oracle(task), Random(seed)};
  std::vector<Workload> workloads = task.workloads();
  for (int kind = 0; kind < task.perturb_kinds(); ++kind) workloads.push_back(task.draw(kind, bench.random));
  for (const Workload& workload : workloads) {
    Case c = task.make_case(workload, bench.random);
    std::vector<Tensor> expected = bench.oracle.expect(c);
    Auditor auditor{task, c, expected};
    report(auditor.judge("reference", expected, true));
    for (bool mean : {false, true})
      if (std::vector<Tensor> result = auditor.constant(mean); !same(result, expected))
        report(auditor.judge(mean ? "constant" : "zeros", result, false));
    for (const Slice& slice : slices(c, bench.random)) {
      std::optional<Mutant> mutant = bench.ignoring(slice, c, expected);
      if (mutant && mutant->passed && task.needles()) {  // too little to see among ordinary values, as it may be
        Case planted = task.make_case(workload, bench.random, true);
        mutant = bench.ignoring(slice, planted, bench.oracle.expect(planted));
        if (mutant) mutant->name += ", needles";
      }
      if (mutant) report(*mutant);
    }
  }
}

}  // namespace assay
