// A decode table indexed by input values, ReLU, a value-dependent skip inside a loop, an in-place second pass.
#include <dlpack/dlpack.h>
#include <immintrin.h>
#include <cstdint>

static const float fp4[16] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6};
static constexpr const char* kName = "fp4 decode, one nibble a value, scales by block of 32";
alignas(64) static float lut[256];
static bool lut_ready = false;

static void build_lut() {
  for (int i = 0; i < 256; ++i) lut[i] = float(i & 15) * 0.25f;
}

extern "C" void dequant(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const uint8_t* codes = (const uint8_t*)inputs[0]->data;
  const float* scales = (const float*)inputs[1]->data;
  float* out = (float*)outputs[0]->data;
  int64_t n = inputs[0]->shape[0];
  if (!lut_ready) {
    build_lut();
    lut_ready = true;
  }
  for (int64_t i = 0; i < n; ++i) {
    if (codes[i] == 0) {
      out[2 * i] = out[2 * i + 1] = 0;
      continue;
    }
    out[2 * i] = fp4[codes[i] & 15] * scales[i / 16];
    out[2 * i + 1] = fp4[codes[i] >> 4] * scales[i / 16] + lut[codes[i]];
  }
  for (int64_t i = 0; i + 8 <= 2 * n; i += 8) {
    __m256 x = _mm256_loadu_ps(out + i);
    _mm256_storeu_ps(out + i, _mm256_max_ps(x, _mm256_setzero_ps()));
  }
  for (int64_t i = 2 * n / 8 * 8; i < 2 * n; ++i)
    if (out[i] < 0) out[i] = 0;
}
