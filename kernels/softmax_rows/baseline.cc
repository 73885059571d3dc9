// Softmax of each row in three passes: greatest element, sum of the exponentials, quotients. Plain C++, one thread.
#include <cmath>

#include "softmax_rows.h"

namespace {

using namespace softmax_rows_task;

template <typename T>
void run(const Problem& p) {
  for (int64_t r = 0; r < p.rows; ++r) {
    const T* in = static_cast<const T*>(p.x) + r * p.cols;
    T* out = static_cast<T*>(p.y) + r * p.cols;
    float greatest = to_float(in[0]);
    for (int64_t c = 1; c < p.cols; ++c) greatest = std::fmax(greatest, to_float(in[c]));
    float total = 0;
    for (int64_t c = 0; c < p.cols; ++c) total += std::exp(to_float(in[c]) - greatest);
    for (int64_t c = 0; c < p.cols; ++c) store(out + c, std::exp(to_float(in[c]) - greatest) / total);
  }
}

}  // namespace

extern "C" void softmax_rows(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  if (p.bfloat16) run<Bfloat16>(p);
  else run<float>(p);
}
