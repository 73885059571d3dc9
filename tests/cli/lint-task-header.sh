# A header of the task's folder is read where the candidate includes it: its fields are known, and it is not judged itself.
set -eu
mkdir task
cat >task/task.h <<'X'
#pragma once
#include <dlpack/dlpack.h>
#include <cstring>
#define fine asm("nop")
struct Problem {
  Problem(const DLTensor* const* inputs, DLTensor* const* outputs)
      : x(inputs[0]->data), y(outputs[0]->data), rows(inputs[0]->shape[0]) {}
  const void* x;
  void* y;
  long rows;
};
inline void reference_store(float* to, float v) { *to = v; }
X
kernel() {
  cat >"$1.cc"
  printf '{"kind":"candidate","v":1,"id":"%s","task":"task","source":"%s.cc"}\n' "$1" "$1" >>in
}
kernel honest <<'X'
#include "task.h"
extern "C" void k(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  if (p.rows == 0) return;
  for (long i = 0; i < p.rows; ++i) reference_store((float*)p.y + i, ((const float*)p.x)[i] * 2);
}
X
kernel zeros <<'X'
#include "task.h"
extern "C" void k(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  std::memset(p.y, 0, p.rows * 4);
}
X
kernel shapes <<'X'
#include "task.h"
static void work(const Problem& p) {
  for (long i = 0; i < p.rows; ++i) reference_store((float*)p.y + i, ((const float*)p.x)[i] * 2);
}
extern "C" void k(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  if (p.rows == 32768 || p.rows == 768) return work(p);
  std::memset(p.y, 0, p.rows * 4);
}
X
code=0
kernel-lint <in >out || code=$?
[ "$code" -eq 1 ]
jq -es '.[0] | .status == "ok" and .lint.findings == []' out
jq -es '.[1] | .reason == "constant_output" and (.message | startswith("zeros.cc:4:3: "))' out
jq -es '.[2] | .reason == "exact_shape" and (.message | startswith("shapes.cc:7:7: "))' out
