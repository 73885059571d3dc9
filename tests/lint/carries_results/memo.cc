#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>
static std::unordered_map<const void*, std::vector<float>> memo;
static void compute(const float* in, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = in[i] * 2;
}
extern "C" void by_map(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  auto found = memo.find(in);
  if (found != memo.end()) {  // want: carries_results
    std::memcpy(out, found->second.data(), n * 4);
    return;
  }
  compute(in, out, n);
  memo[in].assign(out, out + n);  // want warning: carries_results
}
static const void* last;
extern "C" void by_pointer(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  if (in == last) return;  // want: carries_results
  last = in;
  compute(in, out, inputs[0]->shape[0]);
}
static float cache[1 << 20];
extern "C" void by_flag(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  static bool done = false;
  if (!done) {  // want: carries_results
    compute(in, cache, n);
    done = true;
  }
  std::memcpy(out, cache, n * 4);
}
extern "C" void by_signature(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  static float signature = -1;
  float sum = in[0] + in[n / 2] + in[n - 1];
  if (sum != signature) {  // want: carries_results
    compute(in, out, n);
    signature = sum;  // want warning: carries_results
  }
}
extern "C" void by_initialiser(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  static std::vector<float> kept(in, in + 4);  // want: carries_results
  std::memcpy(out, kept.data(), 16);
}
struct Buffers {
  const float* in;
  float* out;
};
extern "C" void by_first_pointer(const DLTensor* const* inputs, DLTensor* const* outputs) {
  Buffers b{(const float*)inputs[0]->data, (float*)outputs[0]->data};
  static Buffers first = b;  // want: carries_results
  static float* place = (float*)outputs[0]->data;  // want: carries_results
  compute(b.in, first.out, 3);
  compute(b.in, place, 3);
}
