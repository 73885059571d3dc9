#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#include <fstream>
#include "../reference.cc"  // want: reads_verifier
#include "/proc/self/environ"  // want: reads_verifier
#define OPEN(x) fopen(x, "r")  // want: reads_verifier
asm(".incbin \"expected.bin\"");  // want: evasion  want: reads_verifier
extern "C" void reference(const DLTensor* const*, DLTensor* const*);  // want: reads_verifier
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
  std::ifstream file("task.json");  // want: reads_verifier
  auto* f = OPEN("/dev/shm/x");  // want: reads_verifier
  int d = ::open("/proc/self/mem", 2);  // want: reads_verifier
  void* caller = __builtin_return_address(0);  // want: reads_verifier
  const char* mode = getenv("MODE");  // want: reads_verifier
}
