#!/bin/sh
# A kernel that does not compile is rejected with the compiler's words, which name the file and no place of ours.
set -eu
printf '#include "softmax_rows.h"\nint x = y;\n' >my-kernel.cc
code=0
printf '{"kind":"candidate","v":1,"id":"k","task":"%s","source":"my-kernel.cc"}\n' "$ASSAY_SRC/kernels/softmax_rows" |
  perturb-check >out.json || code=$?
[ "$code" -eq 1 ]
jq -e '.status == "rejected" and .reason == "compile_error" and (.message | startswith("my-kernel.cc:2:9: error:"))' out.json
jq -e '.check.build.ok == false and (.check.build.diagnostics | contains("/tmp") or contains("'"$ASSAY_SRC"'") | not)' out.json
perturb-check --schema >schema.json
/usr/bin/python3 -c 'import json, jsonschema
jsonschema.validate(json.load(open("out.json")), json.load(open("schema.json")))'
