// Twelve or more accumulators: two multiply-adds a cycle of four cycles' latency need eight in flight at least.
// Each loop is written in the vectors of its own unit, for GCC splits wider ones before it looks at the target.
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "timing/peaks.h"

namespace assay {
namespace {

using V4 = float __attribute__((vector_size(16)));

#define ASSAY_TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)

float sse_float32(int64_t rounds) {
  V4 acc[12] = {}, factor = V4{} + 0.999f, term = V4{} + 0.001f;
  asm volatile("" : "+x"(factor), "+x"(term));
  for (int64_t r = 0; r < rounds; ++r) {
#define ASSAY_STEP(i) acc[i] = acc[i] * factor + term;
    ASSAY_TWELVE(ASSAY_STEP)
#undef ASSAY_STEP
  }
  V4 sum = {};
  for (V4 a : acc) sum += a;
  return sum[0];
}

__attribute__((target("avx2,fma"))) float avx2_float32(int64_t rounds) {
  __m256 acc[12], factor = _mm256_set1_ps(0.999f), term = _mm256_set1_ps(0.001f);
  for (__m256& a : acc) a = term;
  for (int64_t r = 0; r < rounds; ++r) {
#define ASSAY_STEP(i) acc[i] = _mm256_fmadd_ps(acc[i], factor, term);
    ASSAY_TWELVE(ASSAY_STEP)
#undef ASSAY_STEP
  }
  __m256 sum = acc[0];
  for (int i = 1; i < 12; ++i) sum = _mm256_add_ps(sum, acc[i]);
  return _mm256_cvtss_f32(sum);
}

__attribute__((target("avx512f"))) float avx512_float32(int64_t rounds) {
  __m512 acc[12], factor = _mm512_set1_ps(0.999f), term = _mm512_set1_ps(0.001f);
  for (__m512& a : acc) a = term;
  for (int64_t r = 0; r < rounds; ++r) {
#define ASSAY_STEP(i) acc[i] = _mm512_fmadd_ps(acc[i], factor, term);
    ASSAY_TWELVE(ASSAY_STEP)
#undef ASSAY_STEP
  }
  __m512 sum = acc[0];
  for (int i = 1; i < 12; ++i) sum = _mm512_add_ps(sum, acc[i]);
  return _mm512_cvtss_f32(sum);
}

__attribute__((target("avx512f,avx512bf16"))) float avx512_bfloat16(int64_t rounds) {
  __m512 acc[12], one = _mm512_set1_ps(0.001f);
  __m512bh factor = (__m512bh)_mm512_castps_si512(one);
  for (__m512& a : acc) a = one;
  for (int64_t r = 0; r < rounds; ++r) {
#define ASSAY_STEP(i) acc[i] = _mm512_dpbf16_ps(acc[i], factor, factor);
    ASSAY_TWELVE(ASSAY_STEP)
#undef ASSAY_STEP
  }
  __m512 sum = acc[0];
  for (int i = 1; i < 12; ++i) sum = _mm512_add_ps(sum, acc[i]);
  return _mm512_cvtss_f32(sum);
}

// Eight tiles: four accumulators, two of each factor; tile registers hold zeros, which cost what other numbers cost.
__attribute__((target("amx-tile,amx-bf16"))) float amx_bfloat16(int64_t rounds) {
  struct alignas(64) {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  } config;
  _tile_loadconfig(&config);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  _tile_zero(6);
  _tile_zero(7);
  for (int64_t r = 0; r < rounds; ++r) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  alignas(64) float out[16][16] = {};
  _tile_stored(0, out, 64);
  _tile_release();
  return out[0][0];
}

bool always() { return true; }
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() { return __builtin_cpu_supports("avx512f"); }
bool has_avx512_bf16() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bf16"); }

// The tiles' 8 KiB of state must be asked for; Linux answers no where the processor has none.
bool has_amx() {
  constexpr long request_permission = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

}  // namespace

const std::vector<Probe>& probes() {
  static const std::vector<Probe> table = {
      {"float32 sse", true, always, 12 * 4 * 2, sse_float32},
      {"float32 avx2", true, has_avx2, 12 * 8 * 2, avx2_float32},
      {"float32 avx512", true, has_avx512, 12 * 16 * 2, avx512_float32},
      {"bfloat16 avx512", false, has_avx512_bf16, 12 * 32 * 2, avx512_bfloat16},
      {"bfloat16 amx", false, has_amx, 4 * 16 * 16 * 32 * 2, amx_bfloat16},
  };
  return table;
}

}  // namespace assay
