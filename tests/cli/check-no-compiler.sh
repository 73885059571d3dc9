#!/bin/sh
# Without a compiler there is no verdict: status error, exit 2, and the remedy.
set -eu
echo 'int x;' >k.cc
mkdir bin
code=0
printf '{"kind":"candidate","v":1,"id":"k","task":"%s","source":"k.cc"}\n' "$ASSAY_SRC/kernels/softmax_rows" |
  PATH=$PWD/bin "$ASSAY_BUILD"/bin/perturb-check >out.json 2>err || code=$?
[ "$code" -eq 2 ]
jq -e '.status == "error" and .reason == "verifier_error" and (.message | test("g\\+\\+.*install"))' out.json
grep -q 'install g++' err
