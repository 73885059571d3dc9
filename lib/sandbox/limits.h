// Resource limits of the confined process, and what its tree has used so far.
#pragma once

#include <sys/resource.h>

#include <cstdint>

#include "sandbox/policy.h"

namespace assay {

// False with errno. Async-signal-safe.
// `counted`: a control group keeps the limit on processes, and tells when it is met, which it can only if it is the
// tighter one.
bool set_limits(const Limits& limits, bool counted);

struct TreeUse {
  double cpu_s = 0;       // user and system time of every process, living, waited for or reaped
  int64_t rss_bytes = 0;  // resident memory, summed over the living; pages they share count in each
};

// Of every process in this pid namespace but ourselves, process 1, from the /proc of the sandbox. Allocates nothing.
TreeUse measure_tree();

}  // namespace assay
