#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
static void before_table(const float* in, float* out, int64_t n, int mode) {
  if (mode * 0) goto end;  // want warning: early_return
  for (int64_t i = 0; i < n; ++i) out[i] = in[i];
end:;
}
extern "C" void one(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  if (in[0] == in[1]) return;  // want: early_return  want: value_sniff
  before_table(in, out, n, 3);
}
extern "C" void two(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  return;  // want: early_return
  for (int64_t i = 0; i < 4; ++i) out[i] = in[i];
}
extern "C" void three(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  if (1 + 1 == 2) return;  // want: early_return
  if (inputs[0]->shape[0] > 4096) return;  // want warning: early_return
  for (int64_t i = 0; i < 4; ++i) out[i] = in[i];
}
