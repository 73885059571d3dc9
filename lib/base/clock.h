// The verifier's clock.
#pragma once

#include <cstdint>

namespace assay {

int64_t now_ns();  // CLOCK_MONOTONIC_RAW: no adjustment by NTP, no jump; meaningful only as a difference

}  // namespace assay
