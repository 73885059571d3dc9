// Extend attention's inputs and outputs by name, for kernels written in C++. task.json says what they mean.
//
//   extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
//     extend_attention_task::Problem p(inputs, outputs);
//     if (p.bfloat16) run<Bfloat16>(p); else run<float>(p);
//   }
//
// Tensors are dense and in C order, their data aligned to 64 bytes. A key row is k_buffer + (slot * kv_heads + head) *
// head_dim; a query row q_extend + (token * q_heads + head) * head_dim.
#pragma once

#include <dlpack/dlpack.h>

#include <cstdint>
#include <cstring>

namespace extend_attention_task {

enum Input { Q_EXTEND, K_EXTEND, V_EXTEND, K_BUFFER, V_BUFFER, QO_INDPTR, KV_INDPTR, KV_INDICES, SM_SCALE };
enum Output { O_EXTEND };

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
      : q_extend(inputs[Q_EXTEND]->data), k_extend(inputs[K_EXTEND]->data), v_extend(inputs[V_EXTEND]->data),
        k_buffer(inputs[K_BUFFER]->data), v_buffer(inputs[V_BUFFER]->data), o_extend(outputs[O_EXTEND]->data),
        qo_indptr(static_cast<const int32_t*>(inputs[QO_INDPTR]->data)),
        kv_indptr(static_cast<const int32_t*>(inputs[KV_INDPTR]->data)),
        kv_indices(static_cast<const int64_t*>(inputs[KV_INDICES]->data)),
        sm_scale(*static_cast<const float*>(inputs[SM_SCALE]->data)),
        batch(inputs[QO_INDPTR]->shape[0] - 1), slots(inputs[K_BUFFER]->shape[0]),
        q_heads(inputs[Q_EXTEND]->shape[1]), kv_heads(inputs[K_EXTEND]->shape[1]),
        head_dim(inputs[Q_EXTEND]->shape[2]), group(q_heads / kv_heads),
        bfloat16(inputs[Q_EXTEND]->dtype.code == kDLBfloat) {}

  const void *q_extend, *k_extend, *v_extend, *k_buffer, *v_buffer;  // of float or Bfloat16, all alike
  void* o_extend;                                                    // likewise; of double for the reference
  const int32_t *qo_indptr, *kv_indptr;
  const int64_t* kv_indices;
  float sm_scale;
  int64_t batch, slots, q_heads, kv_heads, head_dim;
  int64_t group;  // query heads that share a key/value head: query head h uses h / group
  bool bfloat16;
};

}  // namespace extend_attention_task
