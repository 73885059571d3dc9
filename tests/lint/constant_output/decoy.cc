#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  float unused = 0;
  for (int64_t i = 0; i < n; ++i) unused += in[i];
  for (int64_t i = 0; i < n; ++i) out[i] = 0.25f;  // want: constant_output
}
