#!/bin/sh
# A kernel that does not compile is rejected, with the compiler's words.
set -eu
echo 'int x = nonsense;' >k.cc
code=0
printf '{"kind":"candidate","v":1,"id":"k","task":"%s","source":"k.cc"}\n' "$ASSAY_SRC/kernels/softmax_rows" |
  time-kernel >out.json || code=$?
[ "$code" = 1 ]
jq -e '.status == "rejected" and .stage == "time" and .reason == "compile_error"' out.json
jq -e '.timing.build.ok == false and (.timing.build.diagnostics | contains("nonsense"))' out.json
jq -e '.timing | has("speedup_geomean") | not' out.json
time-kernel --schema >schema.json
/usr/bin/python3 -c 'import json, jsonschema; jsonschema.validate(json.load(open("out.json")), json.load(open("schema.json")))'
