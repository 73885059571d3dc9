#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {  // want: output_never_written
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  volatile float sink = 0;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) sink = in[i] * 2;
  (void)out;
  (void)sink;
}
