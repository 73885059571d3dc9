// What the accelerators of this machine can do, by microbenchmarks of ours. Without nvcc at build time there are none.
#pragma once

#include <string>
#include <vector>

#include "record/timing.h"

namespace assay {

std::string device_support();              // "cuda: built with 13.0", for --version
std::vector<DevicePeaks> measure_devices();  // none without a device or a driver; throws Error if one fails

}  // namespace assay
