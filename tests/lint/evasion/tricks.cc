#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#define double return  // want: evasion
#define JOIN(a, b) a##b  // want warning: evasion
extern "C" int harmless(int) __asm__("clock_gettime");  // want: evasion  want: timer_tampering
#pragma weak malloc  // want: evasion
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
  JOIN(clock_, gettime)(0, 0);  // want: timer_tampering
  auto f = (void (*)())(0x400000 + 16);  // want: evasion
  f();
}
#define GUARD(x) if ((x) == 4096) return
#define ALIAS GUARD
extern "C" void second(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  ALIAS(inputs[0]->shape[0]);  // want: exact_shape
  /* want: reads_verifier want: evasion */ get\
env("MODE");
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
}
