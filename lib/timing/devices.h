// What the accelerators of this machine can do, as time-kernel records it.
#pragma once

#include <string>
#include <vector>

#include "record/timing.h"

namespace assay {

std::string device_support();  // "cuda: built with 13.0", for --version
std::vector<DevicePeaks> measure_device_peaks();

}  // namespace assay
