// What time-kernel says: of one candidate (under the record's key "timing"), and of this machine (the peaks record).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/json.h"

namespace assay {

struct Interval {
  double low = 0;
  double high = 0;
};

// What the machine can do, measured. "Vector" is float32 fused multiply-adds in vector registers; "fastest" is the
// fastest unit there is, narrow types and matrix units included: nothing on the machine outruns it.
struct Peaks {
  std::string cpu;
  int cores = 0;  // that this process may run on
  double bandwidth_bytes_per_s = 0;           // streaming reads of memory that no cache holds, all cores
  double one_core_bandwidth_bytes_per_s = 0;
  double flops_per_s = 0;                     // vector, all cores
  double one_core_flops_per_s = 0;
  std::string unit;                           // "float32 avx512"
  double fastest_flops_per_s = 0;
  std::string fastest_unit;                   // "bfloat16 amx"
};

struct DevicePeaks {  // an accelerator
  std::string name;
  std::string driver;
  double bandwidth_bytes_per_s = 0;  // reads and writes of a copy in device memory
  double flops_per_s = 0;            // float32 fused multiply-adds
};

struct WorkloadTiming {
  std::string name;
  std::map<std::string, int64_t> axes;
  std::map<std::string, std::string> dtypes;
  double time_us = 0;  // median
  Interval time_ci_us;
  double time_min_us = 0;
  double baseline_time_us = 0;
  Interval baseline_time_ci_us;
  double speedup = 0;
  Interval speedup_ci;
  int64_t pairs = 0;
  bool unstable = false;  // the interval's half-width is above a quarter
  double bandwidth_bytes_per_s = 0;  // the least that must move, over the time
  double bandwidth_share = 0;
  double flops_per_s = 0;
  double flops_share = 0;
  double flops_per_byte = 0;
  double floor_us = 0;
  std::string bound;  // "memory", "compute", "latency"
  std::string advice;
};

struct TimingBuild {
  bool ok = false;
  double time_s = 0;
  std::string diagnostics;
};

struct TimingFailure {
  std::string workload;
  int64_t call = 0;    // of this candidate's process, from 1; every call is checked
  std::string detail;
};

struct Timing {
  std::optional<double> speedup_geomean;  // absent if any workload failed
  Interval speedup_ci;
  bool unstable = false;
  std::vector<WorkloadTiming> workloads;
  std::optional<TimingFailure> failed;
  std::optional<TimingBuild> build;
  int64_t pairs = 0;
  int64_t checked_calls = 0;  // of candidate and baseline
  double call_overhead_us = 0;
  std::string device;
  Peaks peaks;
  double time_s = 0;
};

Json to_json(const Timing& timing);
std::string timing_schema();  // of a candidate after this stage

Json peaks_to_json(const Peaks& peaks);
Peaks peaks_from_json(const Json& json, const std::string& file);  // strict; throws Error

// The record of `time-kernel --peaks`.
Json peaks_record(const Peaks& peaks, const std::vector<DevicePeaks>& devices);

}  // namespace assay
