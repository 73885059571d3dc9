// Row softmax: lambdas, structured spans, references to outputs, special rows.
#include <dlpack/dlpack.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <thread>

namespace {

struct View {
  const float* in;
  float* out;
  int64_t rows, columns;
};

View view(const DLTensor* const* inputs, DLTensor* const* outputs) {
  View v;
  v.in = reinterpret_cast<const float*>(static_cast<const char*>(inputs[0]->data) + inputs[0]->byte_offset);
  v.out = reinterpret_cast<float*>(static_cast<char*>(outputs[0]->data) + outputs[0]->byte_offset);
  v.columns = inputs[0]->shape[inputs[0]->ndim - 1];
  v.rows = std::accumulate(inputs[0]->shape, inputs[0]->shape + inputs[0]->ndim - 1, int64_t{1}, std::multiplies<>());
  return v;
}

void row(const float* x, float* y, int64_t n) {
  float m = *std::max_element(x, x + n);
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    float& e = y[i];
    e = std::exp(x[i] - m);
    sum += e;
  }
  if (sum == 1.0f) return;
  std::transform(y, y + n, y, [sum](float e) { return e / sum; });
}

}  // namespace

extern "C" void softmax_rows(const DLTensor* const* inputs, DLTensor* const* outputs) {
  View v = view(inputs, outputs);
  if (v.rows * v.columns == 0) return;
  const int workers = std::max(1u, std::thread::hardware_concurrency());
  auto some = [&](int64_t from, int64_t to) {
    for (int64_t r = from; r < to; ++r) row(v.in + r * v.columns, v.out + r * v.columns, v.columns);
  };
  if (v.rows < 2 * workers) {
    some(0, v.rows);
    return;
  }
#pragma omp parallel for
  for (int w = 0; w < workers; ++w) some(v.rows * w / workers, v.rows * (w + 1) / workers);
}
