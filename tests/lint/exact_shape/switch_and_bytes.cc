#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
static void compute(const float* in, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = in[i] * 2;
}
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  static const int64_t shape[2] = {8, 4096};
  if (std::memcmp(inputs[0]->shape, shape, sizeof shape) == 0) {  // want: exact_shape
    std::memset(out, 0, n * 4);
    return;
  }
  switch (n) {
    case 512:  // want: exact_shape
      break;
    case 1024:
    case 2048:  // want: exact_shape
      return;
    default:
      compute(in, out, n);
  }
}
