#include "perturb/oracle.h"

#include "backend/build.h"
#include "base/fd.h"
#include "base/random.h"

namespace assay {
namespace {

constexpr double load_timeout_s = 20;
constexpr double call_timeout_s = 120;  // double precision, one thread perhaps, on a busy machine

}  // namespace

Oracle::Oracle(const Task& task) : task_(task) {
  Build build = build_kernel(read_file(task.reference()), task.reference(), task.folder(), task.compile_flags());
  if (!build.ok) throw error("it does not compile: " + build.diagnostics.substr(0, 500));
  object_ = build.object;
}

Error Oracle::error(const std::string& cause) const { return Error("run reference", task_.reference(), cause); }

std::vector<Tensor> Oracle::expect(const Case& c) {
  if (!worker_) {
    worker_ = std::make_unique<Worker>(Worker::start(object_, "reference"));
    CallOutcome loaded = worker_->load(load_timeout_s);
    if (!loaded.ok()) throw error(loaded.detail);
  }
  std::vector<TensorSpec> inputs, outputs = c.outputs;
  for (const Tensor& t : c.inputs) inputs.push_back(t.spec);
  for (TensorSpec& spec : outputs) spec.dtype = Dtype::float64;
  Arena arena(inputs, outputs);
  arena.write_inputs(c.inputs);
  Random random(unpredictable_seed());
  arena.poison(random);
  worker_->map(arena);
  CallOutcome outcome = worker_->call(call_timeout_s);
  std::vector<std::vector<std::byte>> bytes = arena.snapshot();
  if (!outcome.ok()) throw error(outcome.detail);
  if (!arena.guards_intact()) throw error("it writes outside its outputs");
  if (arena.unwritten() > 0) throw error("it leaves output elements unwritten");
  std::vector<Tensor> expected;
  for (size_t i = 0; i < outputs.size(); ++i) {
    expected.emplace_back(outputs[i]);
    expected.back().data = std::move(bytes[i]);
  }
  return expected;
}

}  // namespace assay
