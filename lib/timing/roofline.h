// Where a kernel stands under the roof: what it moves and computes a second against what the machine can.
#pragma once

#include <string>

#include "record/timing.h"

namespace assay {

struct Roofline {
  double bandwidth_bytes_per_s = 0;
  double bandwidth_share = 0;
  double flops_per_s = 0;
  double flops_share = 0;
  double flops_per_byte = 0;
  double floor_s = 0;   // max(bytes / bandwidth, flops / fastest unit)
  std::string bound;    // "memory", "compute", "latency"
  std::string advice;   // one line, in words that fit any kernel
};

// `flops` and `bytes` are the task's declared cost of one call: the least there is to do.
Roofline roofline(double flops, double bytes, double time_s, double call_overhead_s, const Peaks& peaks);

// A verified result in less than half of the floor: no honest kernel on this machine. Half, because the measured peaks
// are themselves a few tens of per cent uncertain on a shared machine, and because a line may survive in a cache.
bool faster_than_physics(double flops, double bytes, double time_s, const Peaks& peaks);

}  // namespace assay
