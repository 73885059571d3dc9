#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#define UNROLL _Pragma("GCC unroll 4")
#define CEIL(a, b) (((a) + (b) - 1) / (b))
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
  asm volatile("" ::: "memory");
  float (*best)(float) = nullptr;
  auto* bytes = reinterpret_cast<const uint8_t*>(in);
  (void)best;
  (void)bytes;
}
