// Twenty-four accumulators: up to four multiply-adds a cycle of four cycles' latency need sixteen in flight.
#include <arm_neon.h>
#include <sys/auxv.h>

#include "timing/peaks.h"

namespace assay {
namespace {

constexpr int accumulators = 24;

float neon_float32(int64_t rounds) {
  float32x4_t acc[accumulators], factor = vdupq_n_f32(0.999f), term = vdupq_n_f32(0.001f);
  for (float32x4_t& a : acc) a = term;
  for (int64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 24
    for (int i = 0; i < accumulators; ++i) acc[i] = vfmaq_f32(acc[i], factor, term);
  }
  float32x4_t sum = acc[0];
  for (int i = 1; i < accumulators; ++i) sum = vaddq_f32(sum, acc[i]);
  return vgetq_lane_f32(sum, 0);
}

// BFMMLA: each instruction multiplies 2x4 by 4x2 and adds into 2x2. In assembly, for the compiler's target is older.
float neon_bfloat16(int64_t rounds) {
  for (int64_t r = 0; r < rounds; ++r) {
    asm volatile(
        ".arch_extension bf16\n"
        "bfmmla v2.4s, v0.8h, v1.8h\n bfmmla v3.4s, v0.8h, v1.8h\n bfmmla v4.4s, v0.8h, v1.8h\n"
        "bfmmla v5.4s, v0.8h, v1.8h\n bfmmla v6.4s, v0.8h, v1.8h\n bfmmla v7.4s, v0.8h, v1.8h\n"
        "bfmmla v16.4s, v0.8h, v1.8h\n bfmmla v17.4s, v0.8h, v1.8h\n bfmmla v18.4s, v0.8h, v1.8h\n"
        "bfmmla v19.4s, v0.8h, v1.8h\n bfmmla v20.4s, v0.8h, v1.8h\n bfmmla v21.4s, v0.8h, v1.8h\n"
        "bfmmla v22.4s, v0.8h, v1.8h\n bfmmla v23.4s, v0.8h, v1.8h\n bfmmla v24.4s, v0.8h, v1.8h\n"
        "bfmmla v25.4s, v0.8h, v1.8h\n" ::
            : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
              "v24", "v25");
  }
  return 0;
}

bool always() { return true; }
bool has_bf16() { return ::getauxval(AT_HWCAP2) & (1ul << 14); }  // HWCAP2_BF16

}  // namespace

const std::vector<Probe>& probes() {
  static const std::vector<Probe> table = {
      {"float32 neon", true, always, accumulators * 4 * 2, neon_float32},
      {"bfloat16 neon", false, has_bf16, 16 * 2 * 2 * 4 * 2, neon_bfloat16},
  };
  return table;
}

}  // namespace assay
