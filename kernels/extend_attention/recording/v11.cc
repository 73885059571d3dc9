// Extend attention: packed query heads, register tiles of four rows, the keys of a sequence split over the cores.
//
// The (token, head) rows that read one KV head are taken four at a time. A block of 64 keys is gathered once: K is
// transposed through registers, so that a vector holds the scores of several keys, V is widened and padded. The next
// keys are prefetched meanwhile. Parts of a sequence keep their own maximum, sum and accumulator and are merged last.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <omp.h>

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
constexpr int kRows = 4;    // rows of a register tile
constexpr int kAhead = 16;  // keys between a prefetch and its use
constexpr int kWide = 2;    // vectors of a register tile
constexpr float kLowest = std::numeric_limits<float>::lowest();

typedef float Vec __attribute__((vector_size(kLanes * 4)));
typedef int32_t IntVec __attribute__((vector_size(kLanes * 4)));
typedef float Quad __attribute__((vector_size(16)));
typedef int32_t IntQuad __attribute__((vector_size(16)));

template <typename V>
inline V load(const float* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <typename V>
inline void write(float* p, V v) {
  std::memcpy(p, &v, sizeof v);
}

inline Quad load_quad(const float* p) { return load<Quad>(p); }
inline Quad load_quad(const Bfloat16* p) {
  return Quad{to_float(p[0]), to_float(p[1]), to_float(p[2]), to_float(p[3])};
}

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

// Four rows of K become four columns of the transposed block.
template <typename T>
inline void transpose(const T* const row[4], float* to, int64_t dim) {
  int64_t d = 0;
  for (; d + 4 <= dim; d += 4, to += 4 * kBlock) {
    const Quad a = load_quad(row[0] + d), b = load_quad(row[1] + d);
    const Quad c = load_quad(row[2] + d), e = load_quad(row[3] + d);
    const IntQuad low = {0, 4, 1, 5}, high = {2, 6, 3, 7}, first = {0, 1, 4, 5}, second = {2, 3, 6, 7};
    const Quad ab0 = __builtin_shuffle(a, b, low), ab1 = __builtin_shuffle(a, b, high);
    const Quad ce0 = __builtin_shuffle(c, e, low), ce1 = __builtin_shuffle(c, e, high);
    write(to, __builtin_shuffle(ab0, ce0, first));
    write(to + kBlock, __builtin_shuffle(ab0, ce0, second));
    write(to + 2 * kBlock, __builtin_shuffle(ab1, ce1, first));
    write(to + 3 * kBlock, __builtin_shuffle(ab1, ce1, second));
  }
  for (; d < dim; d++, to += kBlock)
    for (int i = 0; i < 4; i++) to[i] = to_float(row[i][d]);
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
      for (int w = 0; w < kWide; w++) write(p[i] + n + w * kLanes, score[i][w]);
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
      write(p[i] + n, weight);
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
      for (int w = 0; w < kWide; w++) write(state.acc + i * padded + d + w * kLanes, acc[i][w]);
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
void attend_part(const Problem& p, const Part& part, int64_t padded, Partials& partials) {
  const T* q = static_cast<const T*>(p.q_extend);
  const T* k_new = static_cast<const T*>(p.k_extend);
  const T* v_new = static_cast<const T*>(p.v_extend);
  const T* k_old = static_cast<const T*>(p.k_buffer);
  const T* v_old = static_cast<const T*>(p.v_buffer);

  const int64_t heads = p.q_heads, kv_heads = p.kv_heads, group = p.group, dim = p.head_dim;
  const auto [b, kv_head, begin, end, state] = part;
  const int64_t first = p.qo_indptr[b], rows = (p.qo_indptr[b + 1] - first) * group;
  const int64_t prefix = p.kv_indptr[b + 1] - p.kv_indptr[b];
  const int64_t* slot = p.kv_indices + p.kv_indptr[b];

  std::vector<float> query((rows + kRows - 1) / kRows * kRows * dim);
  std::vector<float> k_block(dim * kBlock), v_block(kBlock * padded);
  // Row r is token r / group with query head kv_head * group + r % group.
  for (int64_t r = 0; r < rows; r++) {
    const T* from = q + ((first + r / group) * heads + kv_head * group + r % group) * dim;
    float* to = &query[r / kRows * kRows * dim + r % kRows];
    for (int64_t d = 0; d < dim; d++) to[d * kRows] = to_float(from[d]) * p.sm_scale;
  }

  for (int64_t start = begin; start < end; start += kBlock) {
    const int64_t filled = std::min<int64_t>(kBlock, end - start);
    const T* k_row[kBlock];
    for (int64_t n = 0; n < kBlock; n++) {
      const int64_t key = start + std::min(n, filled - 1);
      const bool old = key < prefix;
      const int64_t row = ((old ? slot[key] : first + key - prefix) * kv_heads + kv_head) * dim;
      k_row[n] = (old ? k_old : k_new) + row;
      const T* v = (old ? v_old : v_new) + row;
      for (int64_t d = 0; d < dim; d++) v_block[n * padded + d] = to_float(v[d]);
      if (n % 4 == 3) transpose(k_row + n - 3, &k_block[n - 3], dim);
      if (key + kAhead < prefix) {
        const int64_t ahead = (slot[key + kAhead] * kv_heads + kv_head) * dim;
        prefetch(k_old + ahead, dim);
        prefetch(v_old + ahead, dim);
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
void merge(const Problem& p, const Part* from, const Part* to, int64_t padded, const Partials& partials) {
  const int64_t heads = p.q_heads, group = p.group, dim = p.head_dim;
  const int64_t first = p.qo_indptr[from->b], rows = (p.qo_indptr[from->b + 1] - first) * group;
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
    T* o = static_cast<T*>(p.o_extend) + ((first + r / group) * heads + from->kv_head * group + r % group) * dim;
    for (int64_t d = 0; d < dim; d++) store(o + d, merged[d] / total);
  }
}

template <typename T>
void attend(const Problem& p) {
  const int64_t tile = kWide * kLanes, padded = (p.head_dim + tile - 1) / tile * tile;

  // Each (sequence, KV head) is cut into a few parts a thread, so that a late thread does not hold up the other.
  std::vector<Part> parts;
  std::vector<size_t> first_part;
  int64_t states = 0;
  for (int64_t b = 0; b < p.batch; b++) {
    const int64_t tokens = p.qo_indptr[b + 1] - p.qo_indptr[b], keys = p.kv_indptr[b + 1] - p.kv_indptr[b] + tokens;
    const int64_t rows = tokens * p.group;
    const int64_t share = std::max<int64_t>(keys / (4 * omp_get_max_threads()), 512);
    const int64_t size = (share + kBlock - 1) / kBlock * kBlock;
    for (int64_t kv_head = 0; kv_head < p.kv_heads; kv_head++) {
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
  for (size_t i = 0; i < parts.size(); i++) attend_part<T>(p, parts[i], padded, partials);

  for (int64_t i = 0; i < p.batch * p.kv_heads; i++) {
    const Part* from = parts.data() + first_part[i];
    const Part* to = parts.data() + first_part[i + 1];
    if (from < to) merge<T>(p, from, to, padded, partials);
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
