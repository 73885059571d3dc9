#!/bin/sh
# An honest kernel is accepted: every layer ran, the build is kept, and the record says nothing of seeds or values.
set -eu
cp "$ASSAY_SRC/kernels/softmax_rows/baseline.cc" k.cc
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
judge() {
  printf '{"kind":"candidate","v":1,"id":"k","task":"%s","source":"k.cc","mine":7}\n' "$ASSAY_SRC/kernels/softmax_rows" |
    perturb-check
}
judge >first.json
judge >second.json
jq -e '.status == "ok" and .stage == "check" and .mine == 7 and .reason == null and .check.failed == null' first.json
jq -e '.check | [.layers[].name] == ["public", "hidden_axes", "needle", "same_input_twice", "new_values_same_pointers",
  "same_values_new_pointers", "relations"] and (.layers | all(.ok)) and ([.layers[].calls] | add) == .calls' first.json
jq -e '.check.build.ok and .check.build.time_s > 0 and .check.max_absolute_error < 1e-4' first.json
jq -e '.check.build.ok and .check.build.time_s == 0' second.json
jq -e '[paths | map(tostring) | join(".")] | all(test("seed|expected") | not)' first.json
perturb-check --schema >schema.json
/usr/bin/python3 -c 'import json, jsonschema
jsonschema.validate(json.load(open("first.json")), json.load(open("schema.json")))'
