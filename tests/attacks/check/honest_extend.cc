// want: check ok
// task: kernels/extend_attention
// The correct control of the second task: one pass with an online softmax, as the baseline does it.
#include <cmath>
#include <vector>

#include "extend_attention.h"

namespace {

using namespace extend_attention_task;

constexpr int64_t BLOCK_M = 16;

struct Row {
  float greatest;  // of the scores so far
  float total;     // of the weights, relative to exp(greatest)
};

template <typename T>
void add_key(const T* query, const T* key, const T* value, int64_t d, float scale, Row& row, float* sum) {
  float score = 0;
  for (int64_t i = 0; i < d; ++i) score += to_float(query[i]) * to_float(key[i]);
  score *= scale;
  if (score > row.greatest) {
    const float shrink = std::exp(row.greatest - score);
    for (int64_t i = 0; i < d; ++i) sum[i] *= shrink;
    row.total *= shrink;
    row.greatest = score;
  }
  const float weight = std::exp(score - row.greatest);
  row.total += weight;
  for (int64_t i = 0; i < d; ++i) sum[i] += weight * to_float(value[i]);
}

template <typename T>
void run(const Problem& p) {
  const T* q = static_cast<const T*>(p.q_extend);
  const T* k_new = static_cast<const T*>(p.k_extend);
  const T* v_new = static_cast<const T*>(p.v_extend);
  const T* k_old = static_cast<const T*>(p.k_buffer);
  const T* v_old = static_cast<const T*>(p.v_buffer);
  T* o = static_cast<T*>(p.o_extend);
  const int64_t d = p.head_dim;
  std::vector<float> sums(BLOCK_M * d);
  Row rows[BLOCK_M];

  for (int64_t b = 0; b < p.batch; ++b) {
    const int64_t first = p.qo_indptr[b], count = p.qo_indptr[b + 1] - first;
    for (int64_t head = 0; head < p.q_heads; ++head) {
      const int64_t kv_head = head / p.group;
      for (int64_t block = 0; block < count; block += BLOCK_M) {
        const int64_t tokens = count - block < BLOCK_M ? count - block : BLOCK_M;
        const auto query = [&](int64_t m) { return q + ((first + block + m) * p.q_heads + head) * d; };
        for (int64_t m = 0; m < tokens; ++m) rows[m] = {-INFINITY, 0};
        for (float& x : sums) x = 0;

        for (int64_t j = p.kv_indptr[b]; j < p.kv_indptr[b + 1]; ++j) {
          const int64_t at = (p.kv_indices[j] * p.kv_heads + kv_head) * d;
          for (int64_t m = 0; m < tokens; ++m)
            add_key(query(m), k_old + at, v_old + at, d, p.sm_scale, rows[m], &sums[m * d]);
        }
        for (int64_t j = 0; j < block + tokens; ++j) {
          const int64_t at = ((first + j) * p.kv_heads + kv_head) * d;
          for (int64_t m = j < block ? 0 : j - block; m < tokens; ++m)  // causal: token j and those after it
            add_key(query(m), k_new + at, v_new + at, d, p.sm_scale, rows[m], &sums[m * d]);
        }

        for (int64_t m = 0; m < tokens; ++m) {
          T* out = o + ((first + block + m) * p.q_heads + head) * d;
          for (int64_t i = 0; i < d; ++i) store(out + i, sums[m * d + i] / rows[m].total);
        }
      }
    }
  }
}

}  // namespace

extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  if (p.bfloat16) run<Bfloat16>(p);
  else run<float>(p);
}
