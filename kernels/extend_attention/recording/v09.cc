// Extend attention in three passes over a whole sequence: gather K transposed and V once, all scores as one matrix,
// softmax over full rows, then one product with V. No online softmax, long unit-stride inner loops.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <dlpack/dlpack.h>

#pragma GCC diagnostic ignored "-Wpsabi"

namespace {

constexpr int kLanes = 16;
constexpr float kLowest = std::numeric_limits<float>::lowest();

using Vec = float __attribute__((vector_size(kLanes * 4)));
using IntVec = int32_t __attribute__((vector_size(kLanes * 4)));

struct Bf16 {
  uint16_t bits;
};

inline float widen(float x) { return x; }
inline float widen(Bf16 x) { return std::bit_cast<float>(uint32_t{x.bits} << 16); }

inline void narrow(float x, float& out) { out = x; }
inline void narrow(float x, Bf16& out) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  out.bits = static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);  // round to nearest even
}

inline Vec load(const float* p) {
  Vec v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

inline void store(float* p, Vec v) { std::memcpy(p, &v, sizeof v); }

// exp(x) for x <= 0: 2^n times a polynomial in the remainder, relative error below 3e-7.
inline Vec exp_nonpositive(Vec x) {
  const Vec lowest = Vec{} - 87.0f;
  x = x < lowest ? lowest : x;
  const Vec n = (x * 1.44269504f + 0x1.8p23f) - 0x1.8p23f;  // x / ln 2 rounded to an integer
  const Vec r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Vec poly = r * (1.0f / 720) + (1.0f / 120);
  poly = poly * r + (1.0f / 24);
  poly = poly * r + (1.0f / 6);
  poly = poly * r + 0.5f;
  poly = poly * r + 1.0f;
  poly = poly * r + 1.0f;
  return poly * reinterpret_cast<Vec>((__builtin_convertvector(n, IntVec) + 127) << 23);
}

template <typename T>
void attend(const DLTensor* const* in, DLTensor* out) {
  const T* q = static_cast<const T*>(in[0]->data);
  const T* k_new = static_cast<const T*>(in[1]->data);
  const T* v_new = static_cast<const T*>(in[2]->data);
  const T* k_buffer = static_cast<const T*>(in[3]->data);
  const T* v_buffer = static_cast<const T*>(in[4]->data);
  const int32_t* qo_indptr = static_cast<const int32_t*>(in[5]->data);
  const int32_t* kv_indptr = static_cast<const int32_t*>(in[6]->data);
  const int64_t* kv_indices = static_cast<const int64_t*>(in[7]->data);
  const float scale = *static_cast<const float*>(in[8]->data);
  T* o = static_cast<T*>(out->data);

  const int64_t heads = in[0]->shape[1], dim = in[0]->shape[2], kv_heads = in[1]->shape[1];
  const int64_t batch = in[5]->shape[0] - 1, group = heads / kv_heads;
  const int64_t padded = (dim + kLanes - 1) / kLanes * kLanes;

  for (int64_t b = 0; b < batch; b++) {
    const int64_t first = qo_indptr[b], tokens = qo_indptr[b + 1] - first;
    const int64_t prefix = kv_indptr[b + 1] - kv_indptr[b], keys = prefix + tokens;
    const int64_t stride = (keys + kLanes - 1) / kLanes * kLanes;
    const int64_t* slot = kv_indices + kv_indptr[b];

    for (int64_t kv_head = 0; kv_head < kv_heads; kv_head++) {
      // k_all[d][key] and v_all[key][d] in fp32, for the prefix and the new tokens alike.
      std::vector<float> k_all(dim * stride), v_all(keys * padded);
      for (int64_t key = 0; key < keys; key++) {
        const bool old = key < prefix;
        const int64_t row = ((old ? slot[key] : first + key - prefix) * kv_heads + kv_head) * dim;
        const T* k = (old ? k_buffer : k_new) + row;
        const T* v = (old ? v_buffer : v_new) + row;
        for (int64_t d = 0; d < dim; d++) k_all[d * stride + key] = widen(k[d]);
        for (int64_t d = 0; d < dim; d++) v_all[key * padded + d] = widen(v[d]);
      }

      for (int64_t r = 0; r < tokens * group; r++) {
        const int64_t at = ((first + r / group) * heads + kv_head * group + r % group) * dim;
        const int64_t visible = prefix + r / group + 1;  // causal: the prefix and the new tokens up to this one
        std::vector<float> score(stride), acc(padded);
        for (int64_t d = 0; d < dim; d++) {
          const float query = widen(q[at + d]) * scale;
          const float* k = &k_all[d * stride];
          for (int64_t n = 0; n < stride; n += kLanes) store(&score[n], load(&score[n]) + query * load(k + n));
        }

        float max = kLowest, sum = 0;
        for (int64_t n = 0; n < visible; n++) max = std::max(max, score[n]);
        for (int64_t n = 0; n < stride; n += kLanes) store(&score[n], exp_nonpositive(load(&score[n]) - max));
        for (int64_t n = 0; n < visible; n++) sum += score[n];

        for (int64_t n = 0; n < visible; n++)
          for (int64_t d = 0; d < padded; d += kLanes)
            store(&acc[d], load(&acc[d]) + score[n] * load(&v_all[n * padded + d]));
        for (int64_t d = 0; d < dim; d++) narrow(acc[d] / sum, o[at + d]);
      }
    }
  }
}

}  // namespace

extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  if (inputs[0]->dtype.bits == 16)
    attend<Bf16>(inputs, outputs[0]);
  else
    attend<float>(inputs, outputs[0]);
}
