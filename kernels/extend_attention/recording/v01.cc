// Extend attention, first rewrite: keys in blocks of 64, dot products with 16 partial sums so that the
// compiler can vectorise them, one rescale of the accumulator per block instead of one per key.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "extend_attention.h"

namespace {

using namespace extend_attention_task;

constexpr int kBlock = 64;
constexpr int kLanes = 16;

template <typename T>
float dot(const float* q, const T* k, int64_t dim) {
  float sum[kLanes] = {};
  int64_t d = 0;
  for (; d + kLanes <= dim; d += kLanes)
    for (int lane = 0; lane < kLanes; lane++) sum[lane] += q[d + lane] * to_float(k[d + lane]);
  float total = 0;
  for (; d < dim; d++) total += q[d] * to_float(k[d]);
  for (int lane = 0; lane < kLanes; lane++) total += sum[lane];
  return total;
}

template <typename T>
void attend(const Problem& p) {
  const T* q = static_cast<const T*>(p.q_extend);
  const T* k_new = static_cast<const T*>(p.k_extend);
  const T* v_new = static_cast<const T*>(p.v_extend);
  const T* k_old = static_cast<const T*>(p.k_buffer);
  const T* v_old = static_cast<const T*>(p.v_buffer);
  T* o = static_cast<T*>(p.o_extend);
  const int64_t heads = p.q_heads, kv_heads = p.kv_heads, group = p.group, dim = p.head_dim;

  std::vector<float> query(dim), acc(dim);
  const T* k_row[kBlock];
  const T* v_row[kBlock];
  float score[kBlock];

  for (int64_t b = 0; b < p.batch; b++) {
    const int64_t first = p.qo_indptr[b], prefix = p.kv_indptr[b + 1] - p.kv_indptr[b];
    const int64_t* slot = p.kv_indices + p.kv_indptr[b];
    for (int64_t t = first; t < p.qo_indptr[b + 1]; t++) {
      const int64_t keys = prefix + (t - first) + 1;  // causal: the prefix and the new tokens up to this one
      for (int64_t h = 0; h < heads; h++) {
        const int64_t kv_head = h / group;
        for (int64_t d = 0; d < dim; d++) query[d] = to_float(q[(t * heads + h) * dim + d]) * p.sm_scale;
        std::fill(acc.begin(), acc.end(), 0.0f);
        float max = -std::numeric_limits<float>::infinity(), sum = 0;

        for (int64_t start = 0; start < keys; start += kBlock) {
          const int count = static_cast<int>(std::min<int64_t>(kBlock, keys - start));
          float block_max = max;
          for (int n = 0; n < count; n++) {
            const int64_t key = start + n;
            const bool old = key < prefix;
            const int64_t row = ((old ? slot[key] : first + key - prefix) * kv_heads + kv_head) * dim;
            k_row[n] = (old ? k_old : k_new) + row;
            v_row[n] = (old ? v_old : v_new) + row;
            score[n] = dot(query.data(), k_row[n], dim);
            block_max = std::max(block_max, score[n]);
          }
          const float correction = std::exp(max - block_max);
          max = block_max;
          sum *= correction;
          for (int64_t d = 0; d < dim; d++) acc[d] *= correction;
          for (int n = 0; n < count; n++) {
            const float weight = std::exp(score[n] - max);
            sum += weight;
            for (int64_t d = 0; d < dim; d++) acc[d] += weight * to_float(v_row[n][d]);
          }
        }
        for (int64_t d = 0; d < dim; d++) store(o + (t * heads + h) * dim + d, acc[d] / sum);
      }
    }
  }
}

}  // namespace

extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  if (p.bfloat16)
    attend<Bfloat16>(p);
  else
    attend<float>(p);
}
