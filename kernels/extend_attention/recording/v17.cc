// Extend attention: packed query heads, register tiles of four rows, the keys of a sequence split over the cores.
//
// The (token, head) rows that read one KV head are taken four at a time. A block of 64 keys is gathered once: K is
// transposed through registers, so that a vector holds the scores of sixteen keys, V is widened and padded. The next
// keys are prefetched meanwhile. Parts of a sequence keep their own maximum, sum and accumulator and are merged last.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <dlpack/dlpack.h>
#include <omp.h>

#pragma GCC diagnostic ignored "-Wpsabi"

namespace {

constexpr int kLanes = 16;
constexpr int kBlock = 64;
constexpr int kRows = 4;    // rows of a register tile
constexpr int kAhead = 16;  // keys between a prefetch and its use
#ifdef __AVX512F__
constexpr int kWide = 2;  // vectors of a register tile
#else
constexpr int kWide = 1;
#endif
constexpr float kLowest = std::numeric_limits<float>::lowest();

using Vec = float __attribute__((vector_size(kLanes * 4)));
using IntVec = int32_t __attribute__((vector_size(kLanes * 4)));
using Quad = float __attribute__((vector_size(16)));
using IntQuad = int32_t __attribute__((vector_size(16)));

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

template <typename V>
inline V load(const float* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <typename V>
inline void store(float* p, V v) {
  std::memcpy(p, &v, sizeof v);
}

inline Quad widen_quad(const float* p) { return load<Quad>(p); }
inline Quad widen_quad(const Bf16* p) { return Quad{widen(p[0]), widen(p[1]), widen(p[2]), widen(p[3])}; }

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
inline void prefetch(const T* row, int64_t dim) {
  for (int64_t d = 0; d < dim; d += 64 / sizeof(T)) __builtin_prefetch(row + d);
}

// Four rows of K become four columns of the transposed block.
template <typename T>
inline void transpose(const T* const row[4], float* to, int64_t dim) {
  int64_t d = 0;
  for (; d + 4 <= dim; d += 4, to += 4 * kBlock) {
    const Quad a = widen_quad(row[0] + d), b = widen_quad(row[1] + d);
    const Quad c = widen_quad(row[2] + d), e = widen_quad(row[3] + d);
    const IntQuad low = {0, 4, 1, 5}, high = {2, 6, 3, 7}, first = {0, 1, 4, 5}, second = {2, 3, 6, 7};
    const Quad ab0 = __builtin_shuffle(a, b, low), ab1 = __builtin_shuffle(a, b, high);
    const Quad ce0 = __builtin_shuffle(c, e, low), ce1 = __builtin_shuffle(c, e, high);
    store(to, __builtin_shuffle(ab0, ce0, first));
    store(to + kBlock, __builtin_shuffle(ab0, ce0, second));
    store(to + 2 * kBlock, __builtin_shuffle(ab1, ce1, first));
    store(to + 3 * kBlock, __builtin_shuffle(ab1, ce1, second));
  }
  for (; d < dim; d++, to += kBlock)
    for (int i = 0; i < 4; i++) to[i] = widen(row[i][d]);
}

// What four rows know of the keys seen so far; acc is kRows rows of `padded` floats.
struct State {
  float* max;
  float* sum;
  float* acc;
};

// One tile of rows against one block. query[d][row], k[d][key], v[key][padded]; row i sees count[i] keys.
inline void step(const float* query, const float* k, const float* v, const int64_t* count, int64_t dim, int64_t padded,
                 State state) {
  alignas(64) float p[kRows][kBlock];
  for (int n = 0; n < kBlock; n += kWide * kLanes) {
    Vec score[kRows][kWide] = {};
    for (int64_t d = 0; d < dim; d++)
      for (int i = 0; i < kRows; i++)
        for (int w = 0; w < kWide; w++)
          score[i][w] += query[d * kRows + i] * load<Vec>(k + d * kBlock + n + w * kLanes);
    for (int i = 0; i < kRows; i++)
      for (int w = 0; w < kWide; w++) store(p[i] + n + w * kLanes, score[i][w]);
  }

  float correction[kRows];
  for (int i = 0; i < kRows; i++) {
    for (int64_t n = std::max<int64_t>(count[i], 0); n < kBlock; n++) p[i][n] = kLowest;
    Vec high = load<Vec>(p[i]);
    for (int n = kLanes; n < kBlock; n += kLanes) {
      const Vec other = load<Vec>(p[i] + n);
      high = high > other ? high : other;
    }
    float max = state.max[i];
    for (int lane = 0; lane < kLanes; lane++) max = std::max(max, high[lane]);
    Vec total = {};
    for (int n = 0; n < kBlock; n += kLanes) {
      const Vec weight = exp_nonpositive(load<Vec>(p[i] + n) - max);
      store(p[i] + n, weight);
      total += weight;
    }
    correction[i] = std::exp(state.max[i] - max);
    state.max[i] = max;
    state.sum[i] *= correction[i];
    for (int lane = 0; lane < kLanes; lane++) state.sum[i] += total[lane];
  }

  for (int64_t d = 0; d < padded; d += kWide * kLanes) {
    Vec acc[kRows][kWide];
    for (int i = 0; i < kRows; i++)
      for (int w = 0; w < kWide; w++) acc[i][w] = load<Vec>(state.acc + i * padded + d + w * kLanes) * correction[i];
    for (int n = 0; n < kBlock; n++)
      for (int i = 0; i < kRows; i++)
        for (int w = 0; w < kWide; w++) acc[i][w] += p[i][n] * load<Vec>(v + n * padded + d + w * kLanes);
    for (int i = 0; i < kRows; i++)
      for (int w = 0; w < kWide; w++) store(state.acc + i * padded + d + w * kLanes, acc[i][w]);
  }
}

// Keys [begin, end) of sequence b for one KV head; the results of its rows start at row `state` of the partial arrays.
struct Part {
  int64_t b, kv_head, begin, end, state;
};

struct Partials {
  std::vector<float> max, sum, acc;
};

template <typename T>
void attend_part(const DLTensor* const* in, const Part& part, int64_t padded, Partials& partials) {
  const T* q = static_cast<const T*>(in[0]->data);
  const T* k_new = static_cast<const T*>(in[1]->data);
  const T* v_new = static_cast<const T*>(in[2]->data);
  const T* k_buffer = static_cast<const T*>(in[3]->data);
  const T* v_buffer = static_cast<const T*>(in[4]->data);
  const int32_t* qo_indptr = static_cast<const int32_t*>(in[5]->data);
  const int32_t* kv_indptr = static_cast<const int32_t*>(in[6]->data);
  const int64_t* kv_indices = static_cast<const int64_t*>(in[7]->data);
  const float scale = *static_cast<const float*>(in[8]->data);

  const int64_t heads = in[0]->shape[1], dim = in[0]->shape[2], kv_heads = in[1]->shape[1], group = heads / kv_heads;
  const auto [b, kv_head, begin, end, state] = part;
  const int64_t first = qo_indptr[b], rows = (qo_indptr[b + 1] - first) * group;
  const int64_t prefix = kv_indptr[b + 1] - kv_indptr[b];
  const int64_t* slot = kv_indices + kv_indptr[b];

  std::vector<float> query((rows + kRows - 1) / kRows * kRows * dim);
  std::vector<float> k_block(dim * kBlock), v_block(kBlock * padded);
  // Row r is token r / group with query head kv_head * group + r % group.
  for (int64_t r = 0; r < rows; r++) {
    const T* from = q + ((first + r / group) * heads + kv_head * group + r % group) * dim;
    float* to = &query[r / kRows * kRows * dim + r % kRows];
    for (int64_t d = 0; d < dim; d++) to[d * kRows] = widen(from[d]) * scale;
  }

  for (int64_t start = begin; start < end; start += kBlock) {
    const int64_t filled = std::min<int64_t>(kBlock, end - start);
    const T* k_row[kBlock];
    for (int64_t n = 0; n < kBlock; n++) {
      const int64_t key = start + std::min(n, filled - 1);
      const bool old = key < prefix;
      const int64_t row = ((old ? slot[key] : first + key - prefix) * kv_heads + kv_head) * dim;
      k_row[n] = (old ? k_buffer : k_new) + row;
      const T* v = (old ? v_buffer : v_new) + row;
      for (int64_t d = 0; d < dim; d++) v_block[n * padded + d] = widen(v[d]);
      if (n % 4 == 3) transpose(k_row + n - 3, &k_block[n - 3], dim);
      if (key + kAhead < prefix) {
        const int64_t ahead = (slot[key + kAhead] * kv_heads + kv_head) * dim;
        prefetch(k_buffer + ahead, dim);
        prefetch(v_buffer + ahead, dim);
      }
    }
    for (int64_t r = 0; r < rows; r += kRows) {
      int64_t count[kRows];  // causal: token t sees the prefix and the new tokens 0..t
      for (int i = 0; i < kRows; i++) count[i] = std::min(filled, prefix + (r + i) / group + 1 - start);
      if (count[kRows - 1] > 0)
        step(&query[r * dim], k_block.data(), v_block.data(), count, dim, padded,
             {&partials.max[state + r], &partials.sum[state + r], &partials.acc[(state + r) * padded]});
    }
  }
}

// The parts of one (sequence, KV head) are rescaled to their common maximum, then added.
template <typename T>
void merge(const DLTensor* const* in, DLTensor* out, const Part* from, const Part* to, int64_t padded,
           const Partials& partials) {
  const int32_t* qo_indptr = static_cast<const int32_t*>(in[5]->data);
  const int64_t heads = out->shape[1], dim = out->shape[2], group = heads / in[1]->shape[1];
  const int64_t first = qo_indptr[from->b], rows = (qo_indptr[from->b + 1] - first) * group;
  std::vector<float> merged(dim);
  for (int64_t r = 0; r < rows; r++) {
    float high = kLowest, total = 0;
    for (const Part* part = from; part < to; part++) high = std::max(high, partials.max[part->state + r]);
    std::fill(merged.begin(), merged.end(), 0.0f);
    for (const Part* part = from; part < to; part++) {
      const float weight = std::exp(partials.max[part->state + r] - high);
      const float* acc = &partials.acc[(part->state + r) * padded];
      total += weight * partials.sum[part->state + r];
      for (int64_t d = 0; d < dim; d++) merged[d] += weight * acc[d];
    }
    T* o = static_cast<T*>(out->data) + ((first + r / group) * heads + from->kv_head * group + r % group) * dim;
    for (int64_t d = 0; d < dim; d++) narrow(merged[d] / total, o[d]);
  }
}

template <typename T>
void attend(const DLTensor* const* in, DLTensor* out) {
  const int32_t* qo_indptr = static_cast<const int32_t*>(in[5]->data);
  const int32_t* kv_indptr = static_cast<const int32_t*>(in[6]->data);
  const int64_t batch = in[5]->shape[0] - 1, kv_heads = in[1]->shape[1];
  const int64_t tile = kWide * kLanes, padded = (out->shape[2] + tile - 1) / tile * tile;

  // Each (sequence, KV head) is cut into a few parts a thread, so that a late thread does not hold up the other.
  std::vector<Part> parts;
  std::vector<size_t> first_part;
  int64_t states = 0;
  for (int64_t b = 0; b < batch; b++) {
    const int64_t tokens = qo_indptr[b + 1] - qo_indptr[b], keys = kv_indptr[b + 1] - kv_indptr[b] + tokens;
    const int64_t rows = tokens * (out->shape[1] / kv_heads);
    const int64_t share = std::max<int64_t>(keys / (4 * omp_get_max_threads()), 512);
    const int64_t size = (share + kBlock - 1) / kBlock * kBlock;
    for (int64_t kv_head = 0; kv_head < kv_heads; kv_head++) {
      first_part.push_back(parts.size());
      for (int64_t begin = 0; begin < keys; begin += size) {
        parts.push_back({b, kv_head, begin, std::min(keys, begin + size), states});
        states += (rows + kRows - 1) / kRows * kRows;
      }
    }
  }
  first_part.push_back(parts.size());

  Partials partials{std::vector<float>(states, kLowest), std::vector<float>(states),
                    std::vector<float>(states * padded)};
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < parts.size(); i++) attend_part<T>(in, parts[i], padded, partials);

  for (int64_t i = 0; i < batch * kv_heads; i++) {
    const Part* from = parts.data() + first_part[i];
    const Part* to = parts.data() + first_part[i + 1];
    if (from < to) merge<T>(in, out, from, to, padded, partials);
  }
}

}  // namespace

extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  if (inputs[0]->dtype.bits == 16)
    attend<Bf16>(inputs, outputs[0]);
  else
    attend<float>(inputs, outputs[0]);
}
