#include "base/clock.h"

#include <time.h>

namespace assay {

int64_t now_ns() {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace assay
