#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
static const float answers[] = {0.5f, 1.25f, 3.0f, 4.0f, 5.5f, 6.0f, 7.0f, 8.0f, 9.0f};
static void copy(float* to, const float* from, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = from[i];  // want: output_table
}
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  for (int64_t i = 0; i < n; ++i) out[i] = answers[i % 9];  // want: output_table
  std::memcpy(out, answers, sizeof answers);  // want: output_table
  auto* p = answers;
  float x = *p++ * 2;
  *out = x;  // want: output_table
  std::memcpy(out, "\x00\x00\x80\x3f\x00\x00\x80\x3f\x00\x00\x80\x3f", 12);  // want: output_table
  copy(out, answers, 9);  // want: output_table
}
