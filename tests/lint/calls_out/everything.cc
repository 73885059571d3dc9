#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>
__attribute__((constructor)) static void early() {}  // want: calls_out
static int setup() { return 3; }
static int ready = setup();  // want warning: calls_out
#define SPAWN fork()  // want: calls_out
using namespace std;
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
  SPAWN;  // want: calls_out
  std::thread worker([] {});  // want: calls_out
  jthread other([] {});  // want: calls_out
  auto later = std::async([] {});  // want: calls_out
  void* h = dlopen("libc.so.6", 1);  // want: calls_out
  auto kill_all = ::kill;  // want: calls_out
  ::write(3, "ok", 2);  // want: calls_out
  _exit(0);  // want: calls_out
  asm volatile("syscall");  // want: evasion  want: calls_out
  atexit([] {});  // want: calls_out
}
