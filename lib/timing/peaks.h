// What this machine can do, by microbenchmarks of ours; kept in $XDG_CACHE_HOME/assay (or ~/.cache/assay), a file a
// kind of processor, since measuring takes about a second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/timing.h"

namespace assay {

Peaks measure_peaks();

Peaks cached_peaks();  // from the cache, else measured and kept; a cache that can't be written is no error

// Measures again and keeps the better of old and new, entry by entry: for when a result contradicts the old ones, as it
// does if they were taken on a busy machine.
Peaks improve_peaks(const Peaks& old);

// A loop of independent multiply-adds on one unit. The probes are a table of each architecture's own file.
struct Probe {
  const char* unit;             // "float32 avx512"
  bool vector_float32;          // counts for flops_per_s; the others for fastest_flops_per_s alone
  bool (*supported)();
  double flops_per_round;
  float (*run)(int64_t rounds);  // the value only keeps the loop from being removed
};
const std::vector<Probe>& probes();

}  // namespace assay
