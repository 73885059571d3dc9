#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#include <chrono>
#include <time.h>
extern "C" int clock_gettime(clockid_t, struct timespec* t) {  // want: timer_tampering
  t->tv_sec = t->tv_nsec = 0;
  return 0;
}
#define NOW clock_gettime  // want: timer_tampering
extern "C" void kernel(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (int64_t i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
  auto a = std::chrono::steady_clock::now();  // want: timer_tampering
  struct timespec t;
  NOW(CLOCK_MONOTONIC, &t);  // want: timer_tampering
  auto f = &gettimeofday;  // want: timer_tampering
  unsigned long long c = __builtin_ia32_rdtsc();  // want: timer_tampering
  time_t now = time(nullptr);  // want: timer_tampering
  asm volatile("rdtsc" : : : "eax", "edx");  // want: timer_tampering  want warning: evasion
}
