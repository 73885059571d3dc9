#include "timing/devices.h"

#include "gpu/device_peaks.h"

namespace assay {

std::string device_support() { return gpu::support(); }

std::vector<DevicePeaks> measure_device_peaks() {
  std::vector<DevicePeaks> peaks;
  for (const gpu::Device& d : gpu::measure_devices())
    peaks.push_back({d.name, d.driver, d.bandwidth_bytes_per_s, d.flops_per_s});
  return peaks;
}

}  // namespace assay
