// Extend attention in three passes over a whole sequence: gather K transposed and V once, all scores of a row, softmax
// over the full row, then one product with V. No online softmax, long unit-stride inner loops.
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
void attend(const Problem& p) {
  const T* q = static_cast<const T*>(p.q_extend);
  const T* k_new = static_cast<const T*>(p.k_extend);
  const T* v_new = static_cast<const T*>(p.v_extend);
  const T* k_old = static_cast<const T*>(p.k_buffer);
  const T* v_old = static_cast<const T*>(p.v_buffer);
  T* o = static_cast<T*>(p.o_extend);
  const int64_t heads = p.q_heads, kv_heads = p.kv_heads, group = p.group, dim = p.head_dim;
  const int64_t padded = (dim + kLanes - 1) / kLanes * kLanes;

  for (int64_t b = 0; b < p.batch; b++) {
    const int64_t first = p.qo_indptr[b], tokens = p.qo_indptr[b + 1] - first;
    const int64_t prefix = p.kv_indptr[b + 1] - p.kv_indptr[b], keys = prefix + tokens;
    const int64_t stride = (keys + kLanes - 1) / kLanes * kLanes;
    const int64_t* slot = p.kv_indices + p.kv_indptr[b];

    for (int64_t kv_head = 0; kv_head < kv_heads; kv_head++) {
      // k_all[d][key] and v_all[key][d] in fp32, for the prefix and the new tokens alike.
      std::vector<float> k_all(dim * stride), v_all(keys * padded);
      for (int64_t key = 0; key < keys; key++) {
        const bool old = key < prefix;
        const int64_t row = ((old ? slot[key] : first + key - prefix) * kv_heads + kv_head) * dim;
        const T* k = (old ? k_old : k_new) + row;
        const T* v = (old ? v_old : v_new) + row;
        for (int64_t d = 0; d < dim; d++) k_all[d * stride + key] = to_float(k[d]);
        for (int64_t d = 0; d < dim; d++) v_all[key * padded + d] = to_float(v[d]);
      }

      for (int64_t r = 0; r < tokens * group; r++) {
        const int64_t at = ((first + r / group) * heads + kv_head * group + r % group) * dim;
        const int64_t visible = prefix + r / group + 1;  // causal: the prefix and the new tokens up to this one
        std::vector<float> score(stride), acc(padded);
        for (int64_t d = 0; d < dim; d++) {
          const float query = to_float(q[at + d]) * p.sm_scale;
          const float* k = &k_all[d * stride];
          for (int64_t n = 0; n < stride; n += kLanes) write(&score[n], load(&score[n]) + query * load(k + n));
        }

        float max = kLowest;
        for (int64_t n = 0; n < visible; n++) max = std::max(max, score[n]);
        std::fill(score.begin() + visible, score.end(), kLowest);
        Vec total = {};
        for (int64_t n = 0; n < stride; n += kLanes) {
          const Vec weight = exp_nonpositive(load(&score[n]) - max);
          write(&score[n], weight);
          total += weight;
        }
        float sum = 0;
        for (int lane = 0; lane < kLanes; lane++) sum += total[lane];

        for (int64_t n = 0; n < visible; n++)
          for (int64_t d = 0; d < padded; d += kLanes)
            write(&acc[d], load(&acc[d]) + score[n] * load(&v_all[n * padded + d]));
        for (int64_t d = 0; d < dim; d++) store(o + at + d, acc[d] / sum);
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
