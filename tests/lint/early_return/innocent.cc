#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
static void row(const float* x, float* y, int64_t n) {
  if (!x || !y || n < 1) return;
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] + 1;
}
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const int32_t* lengths = (const int32_t*)inputs[1]->data;
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  if (n <= 0 || inputs[0]->ndim == 0) return;
  if (inputs[0]->dtype.bits != 32) return;
  for (int64_t i = 0; i < n; ++i) {
    if (lengths[i] == 0) continue;
    row(in + i, out + i, lengths[i]);
  }
}
