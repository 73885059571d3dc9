#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#include "extend_attention.h"
struct Slot {
  bool open = false;
  int access = 0;
  void read(int x) { access = x; }
};
static void open(Slot& s) { s.open = true; }
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
  Slot s;
  open(s);
  s.read(3);
  int stat = s.access, reference = stat;
  (void)reference;
}
