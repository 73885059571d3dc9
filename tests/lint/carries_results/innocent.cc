#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#include <omp.h>
#include <cstdlib>
#include <vector>
static float* buffer = nullptr;
static size_t capacity = 0;
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  size_t n = size_t(inputs[0]->shape[0]);
  static const int threads = omp_get_max_threads();
  static thread_local std::vector<float> scratch;
  if (capacity < n) {
    std::free(buffer);
    buffer = static_cast<float*>(std::malloc(n * sizeof(float)));
    capacity = n;
  }
  scratch.resize(n);
  for (size_t i = 0; i < n; ++i) buffer[i] = in[i];  // want warning: carries_results
  for (size_t i = 0; i < n; ++i) scratch[i] = buffer[i] * threads;
  for (size_t i = 0; i < n; ++i) out[i] = scratch[i];
}
