#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
template <int D>
static void run(const float* in, float* out, int64_t n) {
  for (int64_t i = 0; i < n * D; ++i) out[i] = in[i] * D;
}
static void any(const float* in, float* out, int64_t n, int64_t d) {
  for (int64_t i = 0; i < n * d; ++i) out[i] = in[i] * d;
}
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0], d = inputs[0]->shape[1];
  int block = 32;
  if (n == 4096) block = 64;
  if (n <= 0) return;
  if (n % 4 != 0) block = 1;
  for (int64_t i = 0; i < n; i += block) out[i] = in[i];
  if (d == 64) return run<64>(in, out, n);
  if (d == 128) {
    run<128>(in, out, n);
  } else if (d == 256) {
    run<256>(in, out, n);
  } else {
    any(in, out, n, d);
  }
}
