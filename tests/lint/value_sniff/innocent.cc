#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  float largest = in[0];
  bool shift = false;
  for (int64_t i = 0; i < n; ++i) {
    if (in[i] > largest) largest = in[i];
    if (in[i] == 0) continue;
  }
  if (largest > 80) shift = true;
  for (int64_t i = 0; i < n; ++i) {
    if (in[i] > 0)
      out[i] = in[i];
    else
      out[i] = 0;
  }
  if (shift) {
    for (int64_t i = 0; i < n; ++i) out[i] -= largest;
  }
}
