// "Latency" is what is left when neither memory nor arithmetic is busy: the time goes into waiting (dependent
// instructions, one element at a time, branches, synchronisation, idle cores). The line is drawn at 30 % of a peak.
// Kernels that truly saturate memory or arithmetic reach 60 to 95 % of a measured peak; kernels that wait reach a few
// per cent; what lies between is mostly one busy core of two or three, which is a bound by that core's unit. On
// machines of many cores one saturated core stays under 30 % of the whole; there, too, the remedy is not less work but
// more cores, and the advice says so from the one-core peaks.
#include "timing/roofline.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double busy = 0.30;       // of a peak: what bounds the kernel
constexpr double saturated = 0.70;  // of a peak: little is left there
constexpr double idle_core = 0.35;  // of one core's peak: not even one core's unit is busy

std::string percent(double share) {
  double value = share * 100;
  if (value < 1) return "under 1 %";
  return std::to_string(std::lround(value)) + " %";
}

std::string on_all(const Peaks& peaks) {
  return peaks.cores > 1 ? " on all " + std::to_string(peaks.cores) + " cores" : "";
}

std::string memory_advice(const Roofline& r, const Peaks& peaks) {
  std::string fact = "memory runs at " + percent(r.bandwidth_share) + " of its peak";
  if (r.bandwidth_share >= saturated)
    return fact + ": only moving fewer bytes helps now (fuse passes, narrower copies)";
  return fact + ": read every byte once and in order, prefetch, and stream" + on_all(peaks);
}

std::string compute_advice(const Roofline& r, const Peaks& peaks) {
  std::string fact = "arithmetic runs at " + percent(r.flops_share) + " of the vector peak";
  if (r.flops_share >= saturated)
    return fact + ": only fewer operations or a faster unit (narrow types, matrix units) help now";
  if (peaks.cores > 1 && r.flops_share < 1.1 / peaks.cores)
    return fact + ", no more than one of " + std::to_string(peaks.cores) +
           " cores can give: split the work over all cores";
  return fact + ": keep more independent multiply-adds in flight (block for registers, unroll)" + on_all(peaks);
}

std::string latency_advice(const Roofline& r, const Peaks& peaks) {
  double of_core_flops = r.flops_per_s / peaks.one_core_flops_per_s;
  double of_core_bandwidth = r.bandwidth_bytes_per_s / peaks.one_core_bandwidth_bytes_per_s;
  std::string fact =
      "arithmetic at " + percent(r.flops_share) + ", memory at " + percent(r.bandwidth_share) + " of their peaks";
  if (std::max(of_core_flops, of_core_bandwidth) < idle_core)
    return fact +
           ": not even one core is busy; vectorise the inner loop, break dependent chains, reuse what is loaded" +
           (peaks.cores > 1 ? ", then use all " + std::to_string(peaks.cores) + " cores" : "");
  return fact + ", about what one core can do: split the work over all " + std::to_string(peaks.cores) + " cores";
}

}  // namespace

Roofline roofline(double flops, double bytes, double time_s, double call_overhead_s, const Peaks& peaks) {
  Roofline r;
  r.bandwidth_bytes_per_s = bytes / time_s;
  r.bandwidth_share = r.bandwidth_bytes_per_s / peaks.bandwidth_bytes_per_s;
  r.flops_per_s = flops / time_s;
  r.flops_share = r.flops_per_s / peaks.flops_per_s;
  r.flops_per_byte = bytes > 0 ? flops / bytes : 0;
  r.floor_s = std::max(bytes / peaks.bandwidth_bytes_per_s, flops / peaks.fastest_flops_per_s);
  if (std::max(r.bandwidth_share, r.flops_share) < busy) {
    r.bound = "latency";
    r.advice = latency_advice(r, peaks);
  } else if (r.bandwidth_share >= r.flops_share) {
    r.bound = "memory";
    r.advice = memory_advice(r, peaks);
  } else {
    r.bound = "compute";
    r.advice = compute_advice(r, peaks);
  }
  if (call_overhead_s > 0.3 * time_s) {
    r.bound = "latency";
    r.advice = percent(std::min(1.0, call_overhead_s / time_s)) +
               " of the time is the call itself: this workload is too small to show more";
  }
  return r;
}

bool faster_than_physics(double flops, double bytes, double time_s, const Peaks& peaks) {
  return time_s < 0.5 * std::max(bytes / peaks.bandwidth_bytes_per_s, flops / peaks.fastest_flops_per_s);
}

}  // namespace assay
