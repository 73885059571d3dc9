// Softmax of each row by its definition, in double precision.
#include <algorithm>
#include <cmath>

#include "softmax_rows.h"

namespace {

using namespace softmax_rows_task;

template <typename T>
void run(const Problem& p) {
  const T* x = static_cast<const T*>(p.x);
  double* y = static_cast<double*>(p.y);
#pragma omp parallel for if (p.rows * p.cols > 100000)
  for (int64_t r = 0; r < p.rows; ++r) {
    const T* in = x + r * p.cols;
    double* out = y + r * p.cols;
    double greatest = to_float(in[0]), total = 0;
    for (int64_t c = 0; c < p.cols; ++c) greatest = std::max<double>(greatest, to_float(in[c]));
    for (int64_t c = 0; c < p.cols; ++c) total += out[c] = std::exp(to_float(in[c]) - greatest);
    for (int64_t c = 0; c < p.cols; ++c) out[c] /= total;
  }
}

}  // namespace

extern "C" void reference(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  if (p.bfloat16) run<Bfloat16>(p);
  else run<float>(p);
}
