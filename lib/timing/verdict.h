// One candidate against its task's baseline, over all workloads: the whole of what time-kernel does with a record.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "record/candidate.h"
#include "record/timing.h"

namespace assay {

struct TimingOptions {
  double budget_s = 8;      // for a candidate, its builds left out; three pairs a workload are taken even so
  int64_t max_pairs = 20;   // of each workload
  uint64_t seed = 0;        // of inputs, order and resampling
  std::function<void(const std::string&)> progress = {};  // one line for people; may be empty
};

struct TimingVerdict {
  std::string reason;   // empty: accepted, however slow it is
  std::string message;
  Timing timing;
};

// Throws Error if the task, the baseline, the reference, the compiler or the sandbox fails: no verdict then.
TimingVerdict time_candidate(const Candidate& candidate, const TimingOptions& options);

}  // namespace assay
