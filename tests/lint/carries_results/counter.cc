#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
static int calls = 0;
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  if (++calls > 10) return;  // want warning: carries_results
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
}
