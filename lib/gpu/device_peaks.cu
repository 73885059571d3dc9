// Two loops with one thing each to wait for: a copy much larger than the L2 cache, and multiply-adds in registers.
// Timed by events on the stream: the code is ours, so the device's clock may be believed.
#include "gpu/device_peaks.h"

#include <cuda_runtime.h>

#include <algorithm>

#include "base/error.h"

namespace assay::gpu {
namespace {

constexpr size_t copy_bytes = size_t{1} << 30;
constexpr int repeats = 7;  // the best counts
constexpr int accumulators = 16;
constexpr int rounds = 4096;

void check(cudaError_t status, const char* operation) {
  if (status != cudaSuccess) throw Error(operation, "the CUDA device", cudaGetErrorString(status));
}

class DeviceMemory {
 public:
  explicit DeviceMemory(size_t bytes) { check(cudaMalloc(&data_, bytes), "allocate on"); }
  DeviceMemory(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(data_); }
  void* get() const { return data_; }

 private:
  void* data_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "create an event on"); }
  Event(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record() { check(cudaEventRecord(event_), "record an event on"); }
  double seconds_since(const Event& start) {
    float ms = 0;
    check(cudaEventSynchronize(event_), "wait for");
    check(cudaEventElapsedTime(&ms, start.event_, event_), "read the time of");
    return ms / 1e3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

__global__ void copy(const float4* __restrict__ from, float4* __restrict__ to, size_t count) {
  size_t stride = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) to[i] = from[i];
}

__global__ void multiply_add(float* out, float factor, float term) {
  float acc[accumulators];
  for (int i = 0; i < accumulators; ++i) acc[i] = static_cast<float>(threadIdx.x + i);
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int i = 0; i < accumulators; ++i) acc[i] = fmaf(acc[i], factor, term);
  float sum = 0;
  for (int i = 0; i < accumulators; ++i) sum += acc[i];
  if (sum == 12345.0f) out[0] = sum;  // never; the compiler can't know
}

template <typename Launch>
double best_seconds(Launch launch) {
  double best = 0;
  for (int r = 0; r < repeats; ++r) {
    Event start, stop;
    start.record();
    launch();
    check(cudaGetLastError(), "launch on");
    stop.record();
    double seconds = stop.seconds_since(start);
    best = r == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

Device measure(int device, const std::string& driver) {
  check(cudaSetDevice(device), "select");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, device), "ask");
  Device peaks;
  peaks.name = properties.name;
  peaks.driver = driver;
  unsigned processors = static_cast<unsigned>(properties.multiProcessorCount);
  size_t bytes = std::min(copy_bytes, properties.totalGlobalMem / 8 / sizeof(float4) * sizeof(float4));
  DeviceMemory from(bytes), to(bytes);
  check(cudaMemset(from.get(), 1, bytes), "write to");
  double seconds = best_seconds([&] {
    copy<<<256 * processors, 1024>>>(static_cast<const float4*>(from.get()), static_cast<float4*>(to.get()),
                                     bytes / sizeof(float4));
  });
  peaks.bandwidth_bytes_per_s = 2.0 * static_cast<double>(bytes) / seconds;
  seconds = best_seconds(
      [&] { multiply_add<<<16 * processors, 256>>>(static_cast<float*>(to.get()), 0.999f, 0.001f); });
  peaks.flops_per_s = 2.0 * accumulators * rounds * 256.0 * 16 * processors / seconds;
  return peaks;
}

std::string version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

}  // namespace

std::string support() { return "cuda: built with " + version(CUDART_VERSION); }

std::vector<Device> measure_devices() {
  int count = 0, driver = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) return {};
  check(status, "find");
  check(cudaDriverGetVersion(&driver), "ask the driver of");
  std::vector<Device> all;
  for (int device = 0; device < count; ++device) all.push_back(measure(device, "CUDA " + version(driver)));
  return all;
}

}  // namespace assay::gpu
