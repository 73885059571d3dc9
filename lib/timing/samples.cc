#include "timing/samples.h"

#include <cstdio>

#include "base/clock.h"
#include "base/error.h"
#include "task/compare.h"
#include "timing/flush.h"

namespace assay {
namespace {

std::vector<TensorSpec> specs(const std::vector<Tensor>& tensors) {
  std::vector<TensorSpec> result;
  for (const Tensor& t : tensors) result.push_back(t.spec);
  return result;
}

// A call and what it left behind, copied while the process is frozen.
struct Call {
  CallOutcome outcome;
  std::vector<std::vector<std::byte>> outputs;
  bool guards = true;
  int64_t unwritten = 0;
};

class Runner {
 public:
  Runner(const Task& task, Side& side, const Inputs& inputs, Random& random)
      : task_(task), side_(side), random_(random), arena_(specs(inputs.inputs()), inputs.outputs()) {
    side_.worker.map(arena_);
  }

  void prepare(const std::vector<Tensor>& inputs) {
    arena_.write_inputs(inputs);
    arena_.poison(random_);
  }

  Call call() {
    flush_caches(arena_.bytes());
    flush_caches(arena_.output_bytes());
    ++side_.calls;
    Call call;
    call.outcome = side_.worker.call(task_.call_timeout_s());
    if (!call.outcome.ok()) return call;
    call.outputs = arena_.snapshot();
    call.guards = arena_.guards_intact();
    call.unwritten = arena_.unwritten();
    if (!side_.worker.stayed_frozen())
      call.outcome = {.status = CallOutcome::violated, .detail = "ran while it was frozen"};
    return call;
  }

  std::optional<Fault> judge(const Call& call, const Inputs& inputs) const {
    if (!call.outcome.ok()) return fault_of(call.outcome);
    if (!call.guards) return Fault{"out_of_bounds_write", "wrote outside its outputs"};
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      const TensorSpec& spec = inputs.outputs()[i];
      Comparison c = compare(spec, call.outputs[i], inputs.expected()[i], task_.tolerance(spec.name, spec.dtype));
      if (c.ok) continue;
      std::string unwritten = call.unwritten > 0 ? "; " + std::to_string(call.unwritten) + " elements not written" : "";
      return Fault{"wrong_output_when_timed", c.summary + unwritten};
    }
    return std::nullopt;
  }

  const Side& side() const { return side_; }

 private:
  const Task& task_;
  Side& side_;
  Random& random_;
  Arena arena_;
};

// Both sides once on the same new inputs. Nothing is compared before both have run, so that both run in one state.
class Duel {
 public:
  Duel(const Task& task, Runner& candidate, Runner& baseline, Inputs& inputs)
      : task_(task), candidate_(candidate), baseline_(baseline), inputs_(inputs) {}

  std::optional<Fault> run(bool candidate_first, Pair& pair) {
    inputs_.next();
    candidate_.prepare(inputs_.inputs());
    baseline_.prepare(inputs_.inputs());
    Call first = (candidate_first ? candidate_ : baseline_).call();
    Call second = (candidate_first ? baseline_ : candidate_).call();
    const Call& ours = candidate_first ? second : first;
    const Call& theirs = candidate_first ? first : second;
    if (std::optional<Fault> fault = baseline_.judge(ours, inputs_))
      throw Error("time", task_.baseline(), "the task's baseline fails its own check (" + fault->detail + ")");
    pair = {.candidate_ns = theirs.outcome.time_ns, .baseline_ns = ours.outcome.time_ns, .is_new = inputs_.is_new()};
    return candidate_.judge(theirs, inputs_);
  }

 private:
  const Task& task_;
  Runner& candidate_;
  Runner& baseline_;
  Inputs& inputs_;
};

double seconds_since(int64_t start_ns) { return static_cast<double>(now_ns() - start_ns) / 1e9; }

std::string progress_line(const Workload& workload, size_t pairs, double speedup) {
  char text[160];
  std::snprintf(text, sizeof text, "%.80s: %zu pairs, %.3gx", workload.name.c_str(), pairs, speedup);
  return text;
}

}  // namespace

Fault fault_of(const CallOutcome& outcome) {
  if (outcome.wrote_input) return {"wrote_input", outcome.detail + ", by a write to an input"};
  switch (outcome.status) {
    case CallOutcome::timed_out: return {"timed_out", outcome.detail};
    case CallOutcome::violated: return {"sandbox_violation", outcome.detail};
    default: return {"crashed", outcome.detail};
  }
}

Samples take_samples(const Task& task, const Workload& workload, Side& candidate, Side& baseline, Worker& reference,
                     const Sampling& sampling, Random& random) {
  int64_t start = now_ns();
  if (sampling.progress) sampling.progress(workload.name + ": reference");
  Inputs inputs(task, workload, reference, random);
  inputs.next();
  Runner candidate_runner(task, candidate, inputs, random), baseline_runner(task, baseline, inputs, random);
  Duel duel(task, candidate_runner, baseline_runner, inputs);

  Samples samples;
  Pair pair;
  samples.fault = duel.run(random.below(2), pair);  // warm-up: pages are touched, threads started; checked, not counted
  if (samples.fault) return samples;
  const Stopping& stopping = sampling.stopping;
  int64_t first = now_ns();
  bool candidate_first = false;
  for (;;) {
    candidate_first = samples.pairs.size() % 2 ? !candidate_first : random.below(2);
    samples.fault = duel.run(candidate_first, pair);
    if (samples.fault) return samples;
    samples.pairs.push_back(pair);
    int64_t count = static_cast<int64_t>(samples.pairs.size());
    bool out_of_time = seconds_since(start) + seconds_since(first) / static_cast<double>(count) > sampling.budget_s;
    bool last = count >= stopping.max_pairs || (out_of_time && count >= least_pairs);
    if (!last && !stopping.look_at(count)) continue;
    samples.speedup = speedup(samples.pairs, stopping.confidence());
    if (sampling.progress) sampling.progress(progress_line(workload, samples.pairs.size(), samples.speedup.value));
    if (last || samples.speedup.half_width() <= stopping.half_width) return samples;
  }
}

}  // namespace assay
