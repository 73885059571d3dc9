#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
struct Step { int time; };
static int time_of(Step s) { return s.time; }
// steady_clock::now() in a comment, "clock_gettime" in a string below
static const char* note = "see clock_gettime";
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
  int time = time_of(Step{3}), clock = 4, sleep = time + clock;
  (void)sleep;
  (void)note;
}
