#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
static void compute(const float* in, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = in[i] * 2;
}
static void real(const float* in, float* out, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < 64; ++i) sum += in[i];
  double mean = sum / n;
  if (mean > -0.01 && mean < 0.01) {  // want: value_sniff
    std::memset(out, 0, n * 4);
    return;  // want: early_return
  }
  bool zero = true;
  for (int64_t i = 0; i < n; ++i)
    if (in[i] != 0) zero = false;
  if (!zero) compute(in, out, n);  // want: value_sniff
}
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  real((const float*)inputs[0]->data, (float*)outputs[0]->data, inputs[0]->shape[0]);
}
