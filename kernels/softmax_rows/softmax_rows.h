// The input and output of softmax_rows by name, for kernels written in C++. Both are dense, in C order, [rows, cols].
#pragma once

#include <dlpack/dlpack.h>

#include <cstdint>
#include <cstring>

namespace softmax_rows_task {

enum Input { X };
enum Output { Y };

struct Bfloat16 {
  uint16_t bits;
};

inline float to_float(float x) { return x; }
inline float to_float(Bfloat16 x) {
  uint32_t bits = static_cast<uint32_t>(x.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

inline void store(float* to, float x) { *to = x; }
inline void store(Bfloat16* to, float x) {  // to nearest, ties to even
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  to->bits = static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

struct Problem {
  Problem(const DLTensor* const* inputs, DLTensor* const* outputs)
      : x(inputs[X]->data), y(outputs[Y]->data), rows(inputs[X]->shape[0]), cols(inputs[X]->shape[1]),
        bfloat16(inputs[X]->dtype.code == kDLBfloat) {}

  const void* x;  // of float or Bfloat16
  void* y;        // likewise; of double for the reference
  int64_t rows, cols;
  bool bfloat16;
};

}  // namespace softmax_rows_task
