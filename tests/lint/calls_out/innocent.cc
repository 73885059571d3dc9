#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#include <omp.h>
namespace {
void write(float* to, float x) { *to = x; }
float* bind(float* p) { return p; }
struct Queue {
  void send(float) {}
  void close() {}
};
}  // namespace
__attribute__((noinline, aligned(64))) static float twice(float x) { return 2 * x; }
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
  Queue queue;
  queue.send(1);
  queue.close();
  int pipe = 3, signal = pipe;
  (void)signal;
#pragma omp parallel for
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) write(bind(out + i), twice(in[i]));
}
