#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/random.h"
#include "record/timing.h"
#include "timing/devices.h"
#include "timing/peaks.h"
#include "timing/progress.h"
#include "timing/verdict.h"
#include "tool/tool.h"

using namespace assay;

namespace {

const char* const usage =
    R"(usage: time-kernel [--budget SECONDS] [--pairs MAX] [--seed N] <candidates >results
       time-kernel --peaks

Times each candidate kernel on standard input against its task's baseline. Both run in sandboxed processes of their
own, in pairs, on inputs not seen before, with caches flushed; the output of every timed call is checked; the clock is
outside of the kernel's reach. Adds the key "timing" to each record: time, speedup and its interval, bandwidth and
arithmetic rate against this machine's measured peaks, and what bounds the kernel.

  --budget SECONDS  for a candidate, builds left out (default 8; three pairs a workload are taken even so)
  --pairs MAX       of each workload (default 20)
  --seed N          of inputs, order and resampling (default: unpredictable)
  --peaks           measure what this machine can do, print that record, and stop
  --help, --version, --schema

Exit status: 0 all accepted, 1 at least one rejected, 2 could not do the job. A slow kernel is not rejected.

Example:
  printf '{"kind":"candidate","v":1,"id":"k1","task":"kernels/softmax_rows","source":"k1.cc"}\n' |
    time-kernel | jq '.timing | {speedup_geomean, speedup_ci, advice: [.workloads[].advice]}'
)";

int print_peaks() {
  write_record(1, peaks_record(measure_peaks(), measure_device_peaks()));
  return exit_accepted;
}

}  // namespace

int main(int argc, char** argv) {
  TimingOptions options;
  std::optional<uint64_t> seed;
  bool peaks = false;
  Tool tool{.name = "time-kernel",
            .usage = usage,
            .schema = timing_schema,
            .options = {{"budget", 0, "SECONDS",
                         [&](const std::string& v) { options.budget_s = parse_number("--budget", v, 0, 86400); }},
                        {"pairs", 0, "MAX",
                         [&](const std::string& v) { options.max_pairs = parse_integer("--pairs", v, 3, 1000); }},
                        {"seed", 0, "N",
                         [&](const std::string& v) {
                           seed = static_cast<uint64_t>(parse_integer("--seed", v, 0, INT64_MAX));
                         }},
                        {"peaks", 0, nullptr, [&](const std::string&) { peaks = true; }}},
            .features = {device_support()}};
  return run_tool(tool, argc, argv, [&](const std::vector<std::string>& operands) {
    if (!operands.empty()) throw Error("read", operands.front(), "time-kernel reads records on standard input");
    if (peaks) return print_peaks();
    options.progress = terminal_progress(tool.name);
    return filter_records("time", [&](Json& record, const Candidate& candidate) {
      options.seed = seed ? *seed : unpredictable_seed();
      TimingVerdict verdict = time_candidate(candidate, options);
      if (options.progress) options.progress("");
      if (verdict.reason.empty())
        accept(record, "time", "timing", to_json(verdict.timing));
      else
        reject(record, "time", "timing", to_json(verdict.timing), verdict.reason, verdict.message);
    });
  });
}
