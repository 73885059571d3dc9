#include "perturb/subject.h"

#include <algorithm>

namespace assay {
namespace {

constexpr double load_timeout_s = 10;

// SIGSYS is the seccomp filter's: a call that the sandbox forbids.
CheckFailure outcome_failure(const Case& c, const CallOutcome& outcome) {
  switch (outcome.status) {
    case CallOutcome::timed_out: return failure(c, "timed_out", "the kernel gave no answer: " + outcome.detail);
    case CallOutcome::violated: return failure(c, "sandbox_violation", "the kernel's process " + outcome.detail);
    default: break;
  }
  if (outcome.wrote_input) return failure(c, "input_modified", "the kernel wrote to an input (" + outcome.detail + ")");
  if (outcome.detail.starts_with("SIGSYS"))
    return failure(c, "sandbox_violation", "the kernel made a system call that the sandbox forbids");
  return failure(c, "crashed", "the kernel's process died: " + outcome.detail);
}

}  // namespace

CheckFailure failure(const Case& c, const std::string& reason, const std::string& message) {
  CheckFailure f{.reason = reason, .message = message, .workload = c.workload.name, .axes = c.workload.axes};
  for (const auto& [name, dtype] : c.workload.dtypes) f.dtypes[name] = dtype_name(dtype);
  return f;
}

Subject::Subject(const Task& task, std::string object, Random& random)
    : task_(task), object_(std::move(object)), random_(random) {}

Failure Subject::restart() {
  worker_.reset();
  worker_ = std::make_unique<Worker>(Worker::start(object_, task_.entry()));
  CallOutcome loaded = worker_->load(load_timeout_s);
  if (loaded.ok()) return std::nullopt;
  CheckFailure f = outcome_failure({}, loaded);
  if (f.reason == "crashed") f.reason = "load_error", f.message = "the kernel can't be loaded: " + loaded.detail;
  return f;
}

void Subject::place(const Case& c) {
  std::vector<TensorSpec> inputs;
  for (const Tensor& t : c.inputs) inputs.push_back(t.spec);
  arena_.emplace(inputs, c.outputs);
  worker_->map(*arena_);
}

Failure Subject::run(const Case& c, const std::vector<Tensor>& expected, const std::string& wrong_reason) {
  arena_->write_inputs(c.inputs);
  arena_->poison(random_);
  ++calls_;
  CallOutcome outcome = worker_->call(task_.call_timeout_s());
  if (!outcome.ok()) return outcome_failure(c, outcome);
  outputs_ = arena_->snapshot();
  bool guards = arena_->guards_intact();
  int64_t unwritten = arena_->unwritten();
  if (!worker_->stayed_frozen()) return failure(c, "sandbox_violation", "the kernel's process ran while it was frozen");
  if (!guards) return failure(c, "out_of_bounds", "the kernel wrote outside its outputs");
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const TensorSpec& spec = c.outputs[i];
    Comparison compared = compare(spec, outputs_[i], expected[i], task_.tolerance(spec.name, spec.dtype));
    if (compared.ok) {
      max_absolute_error_ = std::max(max_absolute_error_, compared.max_absolute_error);
      max_relative_l2_ = std::max(max_relative_l2_, compared.max_relative_l2);
      continue;
    }
    // Poison left in place explains a wrong output if it makes up at least half of what is wrong.
    bool left = unwritten > 0 && 2 * unwritten >= compared.wrong_elements;
    CheckFailure f = failure(c, left ? "unwritten_output" : wrong_reason, "");
    f.output = spec.name;
    f.wrong_elements = compared.wrong_elements;
    f.elements = compared.elements;
    f.unwritten_elements = unwritten;
    f.absolute_error = compared.max_absolute_error;
    f.relative_l2 = compared.max_relative_l2;
    f.message = (left ? "elements were never written: " : "wrong result: ") + compared.summary;
    return f;
  }
  return std::nullopt;
}

Failure Subject::run_anew(const Case& c, const std::vector<Tensor>& expected, const std::string& wrong_reason) {
  place(c);
  return run(c, expected, wrong_reason);
}

Comparison Subject::difference(const Case& c, size_t output, const std::vector<std::byte>& a,
                               const std::vector<std::byte>& b, double share) const {
  const TensorSpec& spec = c.outputs[output];
  TensorSpec wide = spec;
  wide.dtype = Dtype::float64;
  Tensor first(wide);
  for (int64_t i = 0; i < spec.elements(); ++i) store(Dtype::float64, first.data, i, load(spec.dtype, a, i));
  Tolerance tolerance = task_.tolerance(spec.name, spec.dtype);
  return compare(spec, b, first, {tolerance.absolute * share, tolerance.relative_l2 * share});
}

}  // namespace assay
