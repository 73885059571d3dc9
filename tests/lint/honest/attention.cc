// Extend attention: templates on the head size, packed query heads, vector extensions, OpenMP, per-thread scratch.
#include <dlpack/dlpack.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace {

typedef float v8 __attribute__((vector_size(32)));

enum { q_index, k_index, v_index, kbuf_index, vbuf_index, qo_indptr_index, kv_indptr_index, kv_indices_index, scale_index };

inline float from_bf16(uint16_t x) {
  uint32_t bits = uint32_t(x) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline uint16_t to_bf16(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline v8 exp8(v8 x) {
  static const float c[8] = {1.0f, 1.0f, 0.5f, 0.1666667f, 0.04166667f, 0.00833333f, 0.00138889f, 0.00019841f};
  v8 r = v8{} + c[7];
  for (int i = 6; i >= 0; --i) r = r * x + c[i];
  return r;
}

struct Shape {
  int64_t heads, kv_heads, head_dim, batch;
};

template <int D, typename T>
void one_group(const T* q, const T* k, const T* v, float* acc, int64_t from, int64_t to, float scale) {
  constexpr int block = D == 64 ? 128 : 64;
  float m = -std::numeric_limits<float>::infinity(), l = 0;
  for (int64_t j = from; j < to; j += block) {
    int64_t end = std::min(to, j + block);
    for (int64_t t = j; t < end; ++t) {
      float s = 0;
      for (int d = 0; d < D; ++d) s += float(q[d]) * float(k[t * D + d]);
      s *= scale;
      if (s > m) {
        float f = std::exp(m - s);
        l *= f;
        for (int d = 0; d < D; ++d) acc[d] *= f;
        m = s;
      }
      float p = std::exp(s - m);
      l += p;
      for (int d = 0; d < D; ++d) acc[d] += p * float(v[t * D + d]);
    }
  }
  float inverse = l > 0 ? 1 / l : 0;
  for (int d = 0; d < D; ++d) acc[d] *= inverse;
}

template <int D>
void run(const DLTensor* const* inputs, DLTensor* const* outputs, const Shape& s) {
  const float* q = static_cast<const float*>(inputs[q_index]->data);
  const float* k = static_cast<const float*>(inputs[k_index]->data);
  const float* v = static_cast<const float*>(inputs[v_index]->data);
  const int32_t* qo_indptr = static_cast<const int32_t*>(inputs[qo_indptr_index]->data);
  const int32_t* kv_indptr = static_cast<const int32_t*>(inputs[kv_indptr_index]->data);
  float scale = *static_cast<const float*>(inputs[scale_index]->data);
  float* out = static_cast<float*>(outputs[0]->data);
  static int threads = omp_get_max_threads();
  static thread_local std::vector<float> scratch;
  if (s.batch == 0 || s.heads == 0) return;
#pragma omp parallel for schedule(dynamic) num_threads(threads) collapse(2)
  for (int64_t b = 0; b < s.batch; ++b) {
    for (int64_t h = 0; h < s.heads; ++h) {
      int64_t start = qo_indptr[b], stop = qo_indptr[b + 1], prefix = kv_indptr[b + 1] - kv_indptr[b];
      if (start == stop) continue;
      if (scratch.size() < size_t(D) * 2) scratch.resize(size_t(D) * 2);
      for (int64_t t = start; t < stop; ++t) {
        std::fill(scratch.begin(), scratch.end(), 0.0f);
        const float* query = q + (t * s.heads + h) * D;
        one_group<D>(query, k, v, scratch.data(), 0, prefix + t - start + 1, scale);
        float* row = out + (t * s.heads + h) * D;
        for (int d = 0; d < D; ++d) row[d] = scratch[d];
      }
    }
  }
}

}  // namespace

extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  Shape s{inputs[q_index]->shape[1], inputs[k_index]->shape[1], inputs[q_index]->shape[2],
          inputs[qo_indptr_index]->shape[0] - 1};
  if (s.batch <= 0) return;
  if (outputs[0]->data == nullptr) return;
  switch (s.head_dim) {
    case 64:
      return run<64>(inputs, outputs, s);
    case 80:
    case 96:
      run<96>(inputs, outputs, s);
      break;
    case 128: {
      run<128>(inputs, outputs, s);
      break;
    }
    default:
      run<256>(inputs, outputs, s);
  }
}
