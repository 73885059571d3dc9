#include "timing/verdict.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "backend/build.h"
#include "backend/worker.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/fd.h"
#include "task/task.h"
#include "timing/peaks.h"
#include "timing/roofline.h"
#include "timing/samples.h"

namespace assay {
namespace {

constexpr double load_timeout_s = 10;
// An honest kernel shows no gain; a replaying one several times.
constexpr double least_replay_gain = 1.25;
constexpr double replay_by_chance = 0.01;

double seconds_since(int64_t start_ns) { return static_cast<double>(now_ns() - start_ns) / 1e9; }

// The task's own kernels must build and load.
Worker start_trusted(const Task& task, const std::string& path, const std::string& entry) {
  Build build = build_kernel(read_file(path), path, task.folder(), task.compile_flags());
  if (!build.ok) throw Error("build", path, build.reason + "\n" + build.diagnostics);
  Worker worker = Worker::start(build.object, entry);
  CallOutcome loaded = worker.load(load_timeout_s);
  if (!loaded.ok()) throw Error("load", path, loaded.detail);
  return worker;
}

// The least a call can take: thaw, message, freeze. A kernel that does nothing, built and run like all others.
double call_overhead_s(const Task& task, Random& random) {
  std::string text = "extern \"C\" void " + task.entry() + "(const void* const*, void* const*) {}\n";
  Build build = build_kernel(text, "nothing.cc", task.folder(), task.compile_flags());
  if (!build.ok) throw Error("build", "a kernel that does nothing", build.reason + "\n" + build.diagnostics);
  Worker worker = Worker::start(build.object, task.entry());
  std::vector<TensorSpec> one = {{.name = "x", .dtype = Dtype::float32, .shape = {1}}};
  Arena arena(one, one);
  CallOutcome loaded = worker.load(load_timeout_s);
  worker.map(arena);
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    arena.poison(random);
    CallOutcome outcome = worker.call(task.call_timeout_s());
    if (!outcome.ok()) throw Error("call", "a kernel that does nothing", loaded.ok() ? outcome.detail : loaded.detail);
    times.push_back(static_cast<double>(outcome.time_ns) / 1e9);
  }
  return median(times);
}

// Cheap workloads first: what they leave of their share goes to the dear ones.
std::vector<size_t> by_cost(const Task& task) {
  std::vector<size_t> order(task.workloads().size());
  std::iota(order.begin(), order.end(), size_t{0});
  auto weight = [&](size_t i) {
    Cost cost = task.cost(task.workloads()[i]);
    return cost.flops + cost.bytes;
  };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return weight(a) < weight(b); });
  return order;
}

WorkloadTiming describe(const Task& task, const Workload& workload, const Samples& samples, const Timing& timing) {
  std::vector<double> ours, theirs;
  for (const Pair& p : samples.pairs) {
    ours.push_back(static_cast<double>(p.candidate_ns) / 1e3);
    theirs.push_back(static_cast<double>(p.baseline_ns) / 1e3);
  }
  WorkloadTiming w;
  w.name = workload.name;
  w.axes = workload.axes;
  for (const auto& [variable, dtype] : workload.dtypes) w.dtypes[variable] = dtype_name(dtype);
  w.time_us = median(ours);
  w.time_ci_us = median_interval(ours, 0.95);
  w.time_min_us = *std::min_element(ours.begin(), ours.end());
  w.baseline_time_us = median(theirs);
  w.baseline_time_ci_us = median_interval(theirs, 0.95);
  w.speedup = samples.speedup.value;
  w.speedup_ci = samples.speedup.interval;
  w.pairs = static_cast<int64_t>(samples.pairs.size());
  w.unstable = samples.speedup.half_width() > unstable_half_width;
  Cost cost = task.cost(workload);
  Roofline r = roofline(cost.flops, cost.bytes, w.time_us / 1e6, timing.call_overhead_us / 1e6, timing.peaks);
  w.bandwidth_bytes_per_s = r.bandwidth_bytes_per_s;
  w.bandwidth_share = r.bandwidth_share;
  w.flops_per_s = r.flops_per_s;
  w.flops_share = r.flops_share;
  w.flops_per_byte = r.flops_per_byte;
  w.floor_us = r.floor_s * 1e6;
  w.bound = r.bound;
  w.advice = r.advice;
  return w;
}

// Asks twice: peaks taken on a busy machine are too low, and would accuse an honest kernel.
std::optional<Fault> beyond_physics(const Task& task, const Workload& workload, double time_s, Peaks& peaks) {
  Cost cost = task.cost(workload);
  if (!faster_than_physics(cost.flops, cost.bytes, time_s, peaks)) return std::nullopt;
  peaks = improve_peaks(peaks);
  if (!faster_than_physics(cost.flops, cost.bytes, time_s, peaks)) return std::nullopt;
  char text[160];
  std::snprintf(text, sizeof text, "median %.4g us is less than half of the %.4g us that the machine's peaks allow",
                time_s * 1e6, roofline(cost.flops, cost.bytes, time_s, 0, peaks).floor_s * 1e6);
  return Fault{"faster_than_physics", text};
}

void keep_new(std::vector<Pair>& pairs) {
  if (std::any_of(pairs.begin(), pairs.end(), [](const Pair& p) { return p.is_new; }))
    std::erase_if(pairs, [](const Pair& p) { return !p.is_new; });
}

class Judgement {
 public:
  Judgement(const Candidate& candidate, const TimingOptions& options)
      : candidate_(candidate), options_(options), task_(Task::load(candidate.task)), random_(options.seed) {}

  TimingVerdict run() {
    int64_t start = now_ns();
    say("build");
    Build build = build_kernel(candidate_.text, candidate_.source, task_.folder(), task_.compile_flags());
    timing().build = {.ok = build.ok, .time_s = build.time_s, .diagnostics = build.diagnostics};
    if (!build.ok)
      refuse(build.reason, "does not compile");
    else
      time_all(build.object);
    timing().time_s = seconds_since(start);
    return std::move(verdict_);
  }

 private:
  void time_all(const std::string& object) {
    Worker reference = start_trusted(task_, task_.reference(), "reference");
    Side baseline{"the baseline", start_trusted(task_, task_.baseline(), task_.entry())};
    say("peaks");
    timing().peaks = cached_peaks();
    timing().device = timing().peaks.cpu;
    timing().call_overhead_us = call_overhead_s(task_, random_) * 1e6;
    int64_t start = now_ns();
    Side candidate{"the candidate", Worker::start(object, task_.entry())};
    if (CallOutcome loaded = candidate.worker.load(load_timeout_s); !loaded.ok()) {
      Fault fault = fault_of(loaded);
      return refuse(fault.reason, "when it was loaded: " + fault.detail);
    }
    const std::vector<Workload>& workloads = task_.workloads();
    std::vector<std::vector<Pair>> pairs(workloads.size());
    std::vector<std::optional<WorkloadTiming>> results(workloads.size());
    size_t left = workloads.size();
    for (size_t i : by_cost(task_)) {
      Sampling sampling;
      sampling.stopping.max_pairs = options_.max_pairs;
      sampling.budget_s = (options_.budget_s - seconds_since(start)) / static_cast<double>(left--);
      sampling.progress = [this](const std::string& line) { say(line); };
      Samples samples = take_samples(task_, workloads[i], candidate, baseline, reference, sampling, random_);
      timing().checked_calls = candidate.calls + baseline.calls;
      if (!samples.fault) {
        results[i] = describe(task_, workloads[i], samples, timing());
        samples.fault = beyond_physics(task_, workloads[i], results[i]->time_us / 1e6, timing().peaks);
      }
      if (samples.fault) {
        results[i].reset();
        timing().failed = {.workload = workloads[i].name, .call = candidate.calls, .detail = samples.fault->detail};
        refuse(samples.fault->reason, "workload " + workloads[i].name + ", call " + std::to_string(candidate.calls) +
                                          ": " + samples.fault->detail);
        break;
      }
      pairs[i] = std::move(samples.pairs);
    }
    for (std::optional<WorkloadTiming>& w : results)
      if (w) {
        timing().pairs += w->pairs;
        timing().unstable |= w->unstable;
        timing().workloads.push_back(std::move(*w));
      }
    if (timing().failed) return;
    double doubt = 1;
    ReplayGain gain = replay_gain(pairs, random_.next());
    if (gain.factor > least_replay_gain) {
      if (gain.probability < replay_by_chance) return refuse_replay(gain);
      // Too few samples to accuse by: then only those count that no replay can have helped, and the doubt widens the interval.
      for (std::vector<Pair>& samples : pairs) keep_new(samples);
      timing().unstable = true;
      doubt = gain.factor;
    }
    Estimate mean = geometric_mean(pairs, 0.95, random_.next());
    timing().speedup_geomean = mean.value;
    timing().speedup_ci = {mean.interval.low / doubt, mean.interval.high * doubt};
  }

  void refuse_replay(const ReplayGain& gain) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "%.3g times as fast on inputs related to those of earlier calls as on new ones: results are kept between calls",
                  gain.factor);
    refuse("replays_results", text);
  }

  void refuse(const std::string& reason, const std::string& message) {
    verdict_.reason = reason;
    verdict_.message = message;
  }

  void say(const std::string& what) const {
    if (options_.progress) options_.progress(candidate_.id + ": " + what);
  }

  Timing& timing() { return verdict_.timing; }

  const Candidate& candidate_;
  const TimingOptions& options_;
  Task task_;
  Random random_;
  TimingVerdict verdict_;
};

}  // namespace

TimingVerdict time_candidate(const Candidate& candidate, const TimingOptions& options) {
  return Judgement(candidate, options).run();
}

}  // namespace assay
