// Prints what lib/gpu measures, a device a line, and fails if a number can't be.
#include "gpu/device_peaks.h"

#include <cstdio>

int main() {
  std::vector<assay::gpu::Device> devices = assay::gpu::measure_devices();
  for (const assay::gpu::Device& d : devices) {
    std::printf("%s, %s: copy %.0f GB/s, float32 %.1f TFLOP/s\n", d.name.c_str(), d.driver.c_str(),
                d.bandwidth_bytes_per_s / 1e9, d.flops_per_s / 1e12);
    if (d.bandwidth_bytes_per_s < 1e9 || d.bandwidth_bytes_per_s > 1e14) return 1;
    if (d.flops_per_s < 1e10 || d.flops_per_s > 1e16) return 1;
  }
  return devices.empty();
}
