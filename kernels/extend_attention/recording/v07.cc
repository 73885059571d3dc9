// Packed extend attention in GCC vectors. A block of 64 keys is stored transposed, so a vector holds the scores of
// several keys: no horizontal sums, any head size, and the softmax runs on whole vectors with our own exponential.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "extend_attention.h"

#pragma GCC diagnostic ignored "-Wpsabi"

namespace {

using namespace extend_attention_task;

// Floats of a vector register. Wider vectors work too, but g++ takes them apart into single floats.
#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
constexpr int kBlock = 64;
constexpr int kVecs = kBlock / kLanes;
constexpr int kAhead = 16;  // keys between a prefetch and its use
constexpr float kLowest = std::numeric_limits<float>::lowest();

typedef float Vec __attribute__((vector_size(kLanes * 4)));
typedef int32_t IntVec __attribute__((vector_size(kLanes * 4)));

inline Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

inline void write(float* p, Vec v) { std::memcpy(p, &v, sizeof v); }

// exp(x) for x <= 0: 2^n times a polynomial in the remainder, relative error below 3e-7. Nothing below exp(-87): keys
// that are masked weigh 0, and no product with them is subnormal.
inline Vec exp_nonpositive(Vec x) {
  const Vec lowest = Vec{} - 87.0f;
  const Vec y = x < lowest ? lowest : x;
  const Vec n = (y * 1.44269504f + 0x1.8p23f) - 0x1.8p23f;  // y / ln 2 rounded to an integer
  const Vec r = (y - n * 0.693359375f) + n * 2.12194440e-4f;
  Vec poly = r * (1.0f / 720) + (1.0f / 120);
  poly = poly * r + (1.0f / 24);
  poly = poly * r + (1.0f / 6);
  poly = poly * r + 0.5f;
  poly = poly * r + 1.0f;
  poly = poly * r + 1.0f;
  const Vec power = reinterpret_cast<Vec>((__builtin_convertvector(n, IntVec) + 127) << 23);
  return x < lowest ? Vec{} : poly * power;
}

template <typename T>
inline void prefetch(const T* row, int64_t dim) {
  for (int64_t d = 0; d < dim; d += 64 / sizeof(T)) __builtin_prefetch(row + d);
}

// One query row against one block: new maximum, weights, sum and accumulator.
inline void step(const float* query, const float* k_block, const float* v_block, int count, int64_t dim, int64_t padded,
                 float& max, float& sum, float* acc) {
  Vec score[kVecs] = {};
  for (int64_t d = 0; d < dim; d++)
    for (int i = 0; i < kVecs; i++) score[i] += query[d] * load(k_block + d * kBlock + i * kLanes);

  alignas(64) float p[kBlock];
  for (int i = 0; i < kVecs; i++) write(p + i * kLanes, score[i]);
  for (int n = count; n < kBlock; n++) p[n] = kLowest;
  Vec high = Vec{} + max;
  for (int i = 0; i < kVecs; i++) {
    score[i] = load(p + i * kLanes);
    high = high > score[i] ? high : score[i];
  }
  float block_max = max;
  for (int lane = 0; lane < kLanes; lane++) block_max = std::max(block_max, high[lane]);

  const float correction = exp_nonpositive(Vec{} + (max - block_max))[0];
  Vec total = {};
  for (int i = 0; i < kVecs; i++) {
    const Vec weight = exp_nonpositive(score[i] - block_max);
    write(p + i * kLanes, weight);
    total += weight;
  }
  max = block_max;
  sum *= correction;
  for (int lane = 0; lane < kLanes; lane++) sum += total[lane];

  for (int64_t d = 0; d < padded; d += kLanes) {
    Vec even = load(acc + d) * correction, odd = {};
    for (int n = 0; n < kBlock; n += 2) {
      even += p[n] * load(v_block + n * padded + d);
      odd += p[n + 1] * load(v_block + (n + 1) * padded + d);
    }
    write(acc + d, even + odd);
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

  std::vector<float> k_block(dim * kBlock), v_block(kBlock * padded);

  for (int64_t b = 0; b < p.batch; b++) {
    const int64_t first = p.qo_indptr[b], tokens = p.qo_indptr[b + 1] - first;
    const int64_t prefix = p.kv_indptr[b + 1] - p.kv_indptr[b], rows = tokens * group;
    const int64_t* slot = p.kv_indices + p.kv_indptr[b];

    for (int64_t kv_head = 0; kv_head < kv_heads; kv_head++) {
      // Row r is token r / group with query head kv_head * group + r % group.
      std::vector<float> query(rows * dim), acc(rows * padded), max(rows, kLowest), sum(rows);
      for (int64_t r = 0; r < rows; r++) {
        const T* from = q + ((first + r / group) * heads + kv_head * group + r % group) * dim;
        for (int64_t d = 0; d < dim; d++) query[r * dim + d] = to_float(from[d]) * p.sm_scale;
      }

      for (int64_t start = 0; start < prefix + tokens; start += kBlock) {
        const int64_t filled = std::min<int64_t>(kBlock, prefix + tokens - start);
        for (int64_t n = 0; n < filled; n++) {
          const int64_t key = start + n;
          if (key + kAhead < prefix) {
            const int64_t ahead = (slot[key + kAhead] * kv_heads + kv_head) * dim;
            prefetch(k_old + ahead, dim);
            prefetch(v_old + ahead, dim);
          }
          const bool old = key < prefix;
          const int64_t row = ((old ? slot[key] : first + key - prefix) * kv_heads + kv_head) * dim;
          const T* k = (old ? k_old : k_new) + row;
          const T* v = (old ? v_old : v_new) + row;
          for (int64_t d = 0; d < dim; d++) k_block[d * kBlock + n] = to_float(k[d]);
          for (int64_t d = 0; d < dim; d++) v_block[n * padded + d] = to_float(v[d]);
        }
        for (int64_t r = 0; r < rows; r++) {
          // Causal: token t sees the prefix and the new tokens 0..t.
          const int64_t count = std::min(filled, prefix + r / group + 1 - start);
          if (count > 0)
            step(&query[r * dim], k_block.data(), v_block.data(), static_cast<int>(count), dim, padded, max[r], sum[r],
                 &acc[r * padded]);
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

extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  if (p.bfloat16)
    attend<Bfloat16>(p);
  else
    attend<float>(p);
}
