// When to stop taking pairs. Looking at an interval again and again until it is narrow makes it lie; so there are few
// looks, at counts fixed beforehand, and each look's interval is widened for all of them (Bonferroni).
#pragma once

#include <cstdint>

namespace assay {

struct Stopping {
  int64_t max_pairs = 20;
  double half_width = 0.03;  // narrow enough: relative half-width of the speedup's interval

  bool look_at(int64_t pairs) const;  // whether `pairs` is a count at which to look
  double confidence() const;          // of each look's interval, for 95 % over all looks
};

constexpr int64_t least_pairs = 3;              // taken even when the time is up
constexpr double unstable_half_width = 0.25;    // wider than this is no measurement

}  // namespace assay
