#!/bin/sh
# A kernel slower than the baseline is a fact, not a failure.
set -eu
{
  echo '#include <unistd.h>'
  sed 's/extern "C" void softmax_rows/static void honest/' "$ASSAY_SRC/kernels/softmax_rows/baseline.cc"
  echo 'extern "C" void softmax_rows(const DLTensor* const* inputs, DLTensor* const* outputs) {'
  echo '  usleep(150000);'
  echo '  honest(inputs, outputs);'
  echo '}'
} >k.cc
printf '{"kind":"candidate","v":1,"id":"k","task":"%s","source":"k.cc"}\n' "$ASSAY_SRC/kernels/softmax_rows" |
  time-kernel --budget 1 --pairs 3 >out.json
jq -e '.status == "ok" and .timing.speedup_geomean < 0.9 and .timing.pairs == 9' out.json
