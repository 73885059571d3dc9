// What the accelerators of this machine can do, by microbenchmarks of ours. Without nvcc at build time there are none.
#pragma once

#include <string>
#include <vector>

namespace assay::gpu {

struct Device {
  std::string name;
  std::string driver;                // the newest CUDA that it can run
  double bandwidth_bytes_per_s = 0;  // reads and writes of a copy in device memory
  double flops_per_s = 0;            // float32 fused multiply-adds
};

std::string support();                 // "cuda: built with 13.0", for --version
std::vector<Device> measure_devices();  // none without a device or a driver; throws Error if one fails

}  // namespace assay::gpu
