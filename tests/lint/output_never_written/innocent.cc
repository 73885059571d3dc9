#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
struct Rows {
  const float* in;
  float* out;
  int64_t n;
  void run() const {
    for (int64_t i = 0; i < n; ++i) at(i) = in[i];
  }
  float& at(int64_t i) const { return out[i]; }
};
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  Rows rows{(const float*)inputs[0]->data, (float*)outputs[0]->data, inputs[0]->shape[0]};
  rows.run();
}
