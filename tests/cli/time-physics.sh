#!/bin/sh
# Right results in less time than the machine can move the declared bytes are refused: here the declaration lies.
set -eu
cp -r "$ASSAY_SRC/kernels/softmax_rows" task
jq '.cost.bytes = "1e6 * rows * cols"' "$ASSAY_SRC/kernels/softmax_rows/task.json" >task/task.json
code=0
printf '{"kind":"candidate","v":1,"id":"k","task":"task","source":"task/baseline.cc"}\n' |
  time-kernel --budget 1 --pairs 3 >out.json || code=$?
[ "$code" = 1 ]
jq -e '.reason == "faster_than_physics" and (.timing | has("speedup_geomean") | not)' out.json
