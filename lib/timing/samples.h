// Paired, verified samples of one workload.
//
// Each pair: new inputs, given to both sides; outputs poisoned, caches flushed, one call of each side in an order drawn
// for every two pairs (ABBA or BAAB, so that a drift falls on both alike); the output of every call, warm-up included,
// is copied out while its process is frozen and compared. There is no call that counts and is not checked.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "timing/inputs.h"
#include "timing/statistics.h"
#include "timing/stopping.h"

namespace assay {

struct Fault {
  std::string reason;  // "wrong_output_when_timed", "crashed", …: what programs compare
  std::string detail;
};

// A process with a kernel in it, over all workloads.
struct Side {
  std::string name;  // for messages: "the candidate"
  Worker worker;
  int64_t calls = 0;
};

struct Samples {
  std::vector<Pair> pairs;
  Estimate speedup;             // at the last look; meaningful without a fault
  std::optional<Fault> fault;   // of the candidate; ends the sampling
};

struct Sampling {
  Stopping stopping;
  double budget_s = 1;  // for this workload; least_pairs are taken even so
  std::function<void(const std::string&)> progress;  // may be empty
};

// Throws Error if the baseline fails in any way: then the task is broken, and says nothing of the candidate.
Samples take_samples(const Task& task, const Workload& workload, Side& candidate, Side& baseline, Worker& reference,
                     const Sampling& sampling, Random& random);

// What an outcome that is not `done` means for a candidate.
Fault fault_of(const CallOutcome& outcome);

}  // namespace assay
