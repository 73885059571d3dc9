#include "timing/inputs.h"

#include "base/error.h"

namespace assay {
namespace {

constexpr size_t base_sets = 2;
constexpr int64_t new_one_in = 3;

}  // namespace

Inputs::Inputs(const Task& task, const Workload& workload, Worker& reference, Random& random)
    : task_(task), workload_(workload), reference_(reference), random_(random) {
  // Needles go into half of the sets: what a dense mean hides (a skipped slice of a long sum) shows there.
  size_t sets = task.relations().empty() ? 1 : base_sets;
  for (size_t i = 0; i < sets; ++i) base_.push_back(make_base(i % 2 == 1));
}

Inputs::Base Inputs::make_base(bool needle) {
  Base base{.made = task_.make_case(workload_, random_, needle && task_.needles()), .expected = {}};
  base.expected = run_reference(base.made);
  return base;
}

std::vector<Tensor> Inputs::run_reference(const Case& made) {
  std::vector<TensorSpec> inputs, outputs = made.outputs;
  for (const Tensor& t : made.inputs) inputs.push_back(t.spec);
  for (TensorSpec& spec : outputs) spec.dtype = Dtype::float64;
  Arena arena(inputs, outputs);
  reference_.map(arena);
  arena.write_inputs(made.inputs);
  arena.poison(random_);
  CallOutcome outcome = reference_.call(10 * task_.call_timeout_s());
  if (outcome.status != CallOutcome::done) throw Error("run", task_.reference(), outcome.detail);
  std::vector<std::vector<std::byte>> bytes = arena.snapshot();
  std::vector<Tensor> expected;
  for (size_t i = 0; i < outputs.size(); ++i) {
    expected.emplace_back(outputs[i]);
    expected.back().data = std::move(bytes[i]);
  }
  return expected;
}

// Once in each group, at a place drawn for the group; always, where no relation makes old sets new.
bool Inputs::next_is_new() {
  if (task_.relations().empty()) return true;
  int64_t place = drawn_++ % new_one_in;
  if (place == 0) new_at_ = static_cast<int64_t>(random_.below(new_one_in));
  return place == new_at_;
}

void Inputs::next() {
  size_t drawn = random_.below(base_.size());
  new_ = next_is_new();
  if (new_) base_[drawn] = make_base(random_.below(2));
  const Base& base = base_[drawn];
  inputs_ = base.made.inputs;  // copies into the storage of the sample before
  expected_ = base.expected;
  if (task_.relations().empty()) return;
  std::unique_ptr<Task::Transform> transform = task_.all_relations(base.made, random_);
  transform->apply_inputs(inputs_);
  transform->apply_expected(expected_);
}

}  // namespace assay
