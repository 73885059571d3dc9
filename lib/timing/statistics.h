// Medians and intervals for few, noisy, skewed samples. Times of one machine are neither normal nor independent enough
// for a mean and a standard error; medians and resampling ask for less. Same samples and seed, same answer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "record/timing.h"

namespace assay {

double median(std::span<const double> values);  // of the two in the middle, their mean; values must not be empty

// Distribution-free interval of the median between two order statistics, covering at least `confidence`; from the
// least to the greatest value where so few values can't reach it.
Interval median_interval(std::span<const double> values, double confidence);

// One pair: candidate and baseline on the same inputs, one right after the other.
struct Pair {
  int64_t candidate_ns = 0;
  int64_t baseline_ns = 0;
  bool is_new = true;  // its inputs are related to no earlier ones
};

struct Estimate {
  double value = 0;
  Interval interval;
  double half_width() const;  // relative: sqrt(high / low) - 1
};

// exp(median ln(baseline / candidate)): pairing removes what both sides suffer together. The interval is that of the
// median between order statistics, for bootstrapping the median of seven values covers 88 % where it promises 95; under
// six pairs, where order statistics don't reach 95 % either, it is Student's t on the logarithms if that is wider.
Estimate speedup(std::span<const Pair> pairs, double confidence);

// How much faster the candidate is on inputs related to earlier ones than on new ones, against the baseline on the same:
// the geometric mean over workloads of the ratio of the two medians. An honest kernel can't tell them apart and has 1, but
// for noise; `probability` is that of noise alone giving as much (labels shuffled within each workload).
struct ReplayGain {
  double factor = 1;
  double probability = 1;
};
ReplayGain replay_gain(const std::vector<std::vector<Pair>>& workloads, uint64_t seed);

// Geometric mean of the workloads' speedups; its interval is the bootstrap's, resampling every workload at once.
Estimate geometric_mean(const std::vector<std::vector<Pair>>& workloads, double confidence, uint64_t seed);

}  // namespace assay
