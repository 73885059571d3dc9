// Packed extend attention that scales the queries where they lie: one multiplication per query element, and the rows
// need no scaled copy.
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
constexpr float kLowest = std::numeric_limits<float>::lowest();

// Rows are padded with zeros to a multiple of kLanes: no tails below.
float dot(const float* q, const float* k, int64_t padded) {
  float sum[kLanes] = {};
  for (int64_t d = 0; d < padded; d += kLanes)
    for (int lane = 0; lane < kLanes; lane++) sum[lane] += q[d + lane] * k[d + lane];
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; lane++) sum[lane] += sum[lane + half];
  return sum[0];
}

// acc = acc * correction + sum of weight[n] * v[n]. Eight keys a pass: acc is loaded and stored once for all of them.
// Keys beyond the mask weigh 0.
void accumulate(float* acc, float correction, const float* weight, const float* v, int count, int64_t padded) {
  for (int64_t d = 0; d < padded; d++) acc[d] *= correction;
  for (int n = 0; n < count; n += 8) {
    const float* row = v + n * padded;
    for (int64_t d = 0; d < padded; d++) {
      float sum = 0;
      for (int i = 0; i < 8; i++) sum += weight[n + i] * row[i * padded + d];
      acc[d] += sum;
    }
  }
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
  const int64_t padded = (dim + kLanes - 1) / kLanes * kLanes;

  std::vector<float> k_block(kBlock * padded), v_block(kBlock * padded);
  float score[kBlock];

  for (int64_t b = 0; b < p.batch; b++) {
    const int64_t first = p.qo_indptr[b], tokens = p.qo_indptr[b + 1] - first;
    const int64_t prefix = p.kv_indptr[b + 1] - p.kv_indptr[b], rows = tokens * group;
    const int64_t* slot = p.kv_indices + p.kv_indptr[b];

    for (int64_t kv_head = 0; kv_head < kv_heads; kv_head++) {
      // Row r is token r / group with query head kv_head * group + r % group.
      std::vector<float> query(rows * padded), acc(rows * padded), max(rows, kLowest), sum(rows);
      for (int64_t r = 0; r < rows; r++) {
        const T* from = q + ((first + r / group) * heads + kv_head * group + r % group) * dim;
        for (int64_t d = 0; d < dim; d++) query[r * padded + d] = to_float(from[d]);
      }

      for (int64_t start = 0; start < prefix + tokens; start += kBlock) {
        const int64_t filled = std::min<int64_t>(kBlock, prefix + tokens - start);
        for (int64_t n = 0; n < filled; n++) {
          const int64_t key = start + n;
          const bool old = key < prefix;
          const int64_t row = ((old ? slot[key] : first + key - prefix) * kv_heads + kv_head) * dim;
          const T* k = (old ? k_old : k_new) + row;
          const T* v = (old ? v_old : v_new) + row;
          for (int64_t d = 0; d < dim; d++) k_block[n * padded + d] = to_float(k[d]);
          for (int64_t d = 0; d < dim; d++) v_block[n * padded + d] = to_float(v[d]);
        }

        for (int64_t r = 0; r < rows; r++) {
          // Causal: token t sees the prefix and the new tokens 0..t.
          const int count = static_cast<int>(std::min(filled, prefix + r / group + 1 - start));
          if (count <= 0) continue;
          float block_max = max[r];
          for (int n = 0; n < count; n++) {
            score[n] = dot(&query[r * padded], &k_block[n * padded], padded);
            block_max = std::max(block_max, score[n]);
          }
          const float correction = std::exp(max[r] - block_max);
          float block_sum = 0;
          for (int n = 0; n < count; n++) {
            score[n] = std::exp(score[n] - block_max);
            block_sum += score[n];
          }
          for (int n = count; n < kBlock; n++) score[n] = 0;
          max[r] = block_max;
          sum[r] = sum[r] * correction + block_sum;
          accumulate(&acc[r * padded], correction, score, v_block.data(), count, padded);
        }
      }

      for (int64_t r = 0; r < rows; r++) {
        T* to = o + ((first + r / group) * heads + kv_head * group + r % group) * dim;
        for (int64_t d = 0; d < dim; d++) store(to + d, acc[r * padded + d] / sum[r]);
      }
    }
  }
}

}  // namespace

template <typename T>
void scale(void* queries, int64_t count, float factor) {
  T* q = static_cast<T*>(queries);
  for (int64_t i = 0; i < count; i++) store(q + i, to_float(q[i]) * factor);
}

extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  const int64_t count = p.qo_indptr[p.batch] * p.q_heads * p.head_dim;
  if (p.bfloat16) {
    scale<Bfloat16>(inputs[Q_EXTEND]->data, count, p.sm_scale);
    attend<Bfloat16>(p);
  } else {
    scale<float>(inputs[Q_EXTEND]->data, count, p.sm_scale);
    attend<float>(p);
  }
}
