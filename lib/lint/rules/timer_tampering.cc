// An honest kernel has no business with a clock: reading one serves warm-up detection and phase-aware replay, defining
// or patching one changes the measurement.
#include "lint/rules.h"
#include "lint/words.h"

namespace assay {
namespace {

const std::vector<Word> clocks = {
    {"clock_gettime"}, {"clock_settime"}, {"clock_getres"}, {"gettimeofday"}, {"settimeofday"}, {"timespec_get"}, {"ftime"},
    {"getrusage"}, {"rdtsc"}, {"rdtscp"}, {"__rdtsc"}, {"__rdtscp"}, {"_rdtsc"}, {"__builtin_ia32_rdtsc"},
    {"__builtin_ia32_rdtscp"}, {"__builtin_readcyclecounter"}, {"cntvct_el0"}, {"pmccntr_el0"}, {"steady_clock"},
    {"system_clock"}, {"high_resolution_clock"}, {"utc_clock"}, {"file_clock"}, {"chrono"}, {"omp_get_wtime"},
    {"omp_get_wtick"}, {"perf_event_open"}, {"nanosleep"}, {"clock_nanosleep"}, {"usleep"}, {"sleep", true}, {"sleep_for"},
    {"sleep_until"}, {"timerfd_create"}, {"timer_create"}, {"setitimer"}, {"time", true}, {"times", true}, {"clock", true},
    {"difftime", true}, {"cudaEventElapsedTime"}, {"cudaEventRecord"}, {"cudaEventCreate"},
    {"cudaEventCreateWithFlags"}, {"cudaEventSynchronize"}, {"clock64"}, {"globaltimer"}, {"hipEventElapsedTime"},
    {"hipEventRecord"}, {"__vdso_clock_gettime"}, {"CLOCK_MONOTONIC"}, {"CLOCK_REALTIME"}, {"CLOCK_MONOTONIC_RAW"}};

bool is_timer(const std::string& name) {
  for (const char* part : {"time.", "torch.cuda.Event", "torch.cuda.synchronize", "torch.cuda.current_stream",
                           "triton.testing", "torch.utils.benchmark", "timeit", "torch.xpu", "torch.Event"})
    if (name == part || name.starts_with(part)) return true;
  for (const char* part : {".elapsed_time", ".perf_counter", ".perf_counter_ns", ".synchronize", ".do_bench", ".monotonic"})
    if (name.ends_with(part)) return true;
  return false;
}

}  // namespace

void timer_tampering(const Unit& unit, Findings& findings) {
  if (unit.python) {
    for (const PythonWrite& w : unit.python->writes)
      if (is_timer(w.target)) findings.add(Severity::error, w.node, "replaces " + w.target);
    for (const PythonUse& u : unit.python->uses)
      if (u.name.starts_with("time.") || u.name.starts_with("timeit.") || u.name == "torch.cuda.Event")
        findings.add(Severity::warning, u.node, "reads a clock: " + u.name);
    return;
  }
  for (const Use* use : find_words(*unit.uses, clocks)) {
    uint32_t end = use->offset + static_cast<uint32_t>(use->word.size());
    findings.add(Severity::error, use->offset, end, use->node,
                 std::string(use->defines ? "replaces a clock: " : "a kernel has no business with a clock: ") + std::string(use->word));
  }
}

}  // namespace assay
