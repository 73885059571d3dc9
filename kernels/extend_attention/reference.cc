// Extend attention by its definition, in double precision: every score, their maximum, the weights, the weighted sum.
#include <algorithm>
#include <cmath>
#include <vector>

#include "extend_attention.h"

namespace {

using namespace extend_attention_task;

// A tensor's elements as double.
std::vector<double> doubles(const DLTensor* tensor) {
  int64_t count = 1;
  for (int d = 0; d < tensor->ndim; ++d) count *= tensor->shape[d];
  std::vector<double> result(count);
  const bool bfloat16 = tensor->dtype.code == kDLBfloat;
#pragma omp parallel for if (count > 100000)
  for (int64_t i = 0; i < count; ++i)
    result[i] = bfloat16 ? to_float(static_cast<const Bfloat16*>(tensor->data)[i])
                         : static_cast<const float*>(tensor->data)[i];
  return result;
}

// Eight partial sums, in an order that the compiler may turn into vectors.
double dot(const double* a, const double* b, int64_t n) {
  double sum[8] = {};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int64_t k = 0; k < 8; ++k) sum[k] += a[i + k] * b[i + k];
  for (; i < n; ++i) sum[0] += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

}  // namespace

extern "C" void reference(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  const std::vector<double> q = doubles(inputs[Q_EXTEND]);
  const std::vector<double> k_new = doubles(inputs[K_EXTEND]), v_new = doubles(inputs[V_EXTEND]);
  const std::vector<double> k_old = doubles(inputs[K_BUFFER]), v_old = doubles(inputs[V_BUFFER]);
  double* o = static_cast<double*>(p.o_extend);
  const int64_t d = p.head_dim;

  for (int64_t b = 0; b < p.batch; ++b) {
    const int64_t first = p.qo_indptr[b], count = p.qo_indptr[b + 1] - first;
    const int64_t* slots = p.kv_indices + p.kv_indptr[b];
    const int64_t prefix = p.kv_indptr[b + 1] - p.kv_indptr[b];
#pragma omp parallel for schedule(dynamic) if (count * p.q_heads * (prefix + count) > 10000)
    for (int64_t row = 0; row < count * p.q_heads; ++row) {
      const int64_t token = row / p.q_heads, head = row % p.q_heads;
      const int64_t kv_head = head / p.group;
      const double* query = &q[((first + token) * p.q_heads + head) * d];
      const int64_t keys = prefix + token + 1;
      const auto at = [&](int64_t j) {  // key j's row in the buffer, or among the new tokens
        return ((j < prefix ? slots[j] : first + j - prefix) * p.kv_heads + kv_head) * d;
      };

      std::vector<double> weight(keys);
      for (int64_t j = 0; j < keys; ++j)
        weight[j] = p.sm_scale * dot(query, (j < prefix ? k_old : k_new).data() + at(j), d);
      const double greatest = *std::max_element(weight.begin(), weight.end());
      double total = 0;
      for (double& w : weight) total += w = std::exp(w - greatest);

      std::vector<double> sum(d, 0.0);
      for (int64_t j = 0; j < keys; ++j) {
        const double* value = (j < prefix ? v_old : v_new).data() + at(j);
        for (int64_t i = 0; i < d; ++i) sum[i] += weight[j] * value[i];
      }
      double* out = o + ((first + token) * p.q_heads + head) * d;
      for (int64_t i = 0; i < d; ++i) out[i] = sum[i] / total;
    }
  }
}
