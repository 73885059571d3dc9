#!/bin/sh
# A baseline that is wrong is the task's error: no verdict on the candidate.
set -eu
cp -r "$ASSAY_SRC/kernels/softmax_rows" task
sed -i 's/ - greatest)/ - greatest - 0.5f)/' task/baseline.cc
sed -i '0,/- 0.5f/s/ - 0.5f//' task/baseline.cc
cp "$ASSAY_SRC/kernels/softmax_rows/baseline.cc" k.cc
code=0
printf '{"kind":"candidate","v":1,"id":"k","task":"task","source":"k.cc"}\n' | time-kernel --budget 1 >out.json || code=$?
[ "$code" = 2 ]
jq -e '.status == "error" and .reason == "verifier_error" and (.message | contains("baseline"))' out.json
jq -e 'has("timing") | not' out.json
