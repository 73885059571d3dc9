# The README's pipeline: an honest faster kernel passes all three filters, and every record fits its schema.
set -eu
cp "$ASSAY_SRC"/kernels/softmax_rows/baseline.cc k1.cc
printf '{"kind":"candidate","v":1,"id":"k1","task":"%s","source":"k1.cc"}\n' "$ASSAY_SRC/kernels/softmax_rows" >in
kernel-lint <in >after-kernel-lint
perturb-check <after-kernel-lint >after-perturb-check
time-kernel <after-perturb-check >after-time-kernel
jq -e '.status == "ok" and .stage == "time" and .timing.speedup_geomean > 0' after-time-kernel >/dev/null || { cat after-time-kernel; exit 1; }
jq -e '(.lint and .check and .timing) != null' after-time-kernel >/dev/null
for tool in kernel-lint perturb-check time-kernel; do
  "$tool" --schema >schema.json
  /usr/bin/python3 -c 'import json, sys, jsonschema
jsonschema.Draft202012Validator(json.load(open("schema.json"))).validate(json.load(open(sys.argv[1])))' "after-$tool" ||
    { echo "$tool wrote a record that its own schema refuses"; exit 1; }
done
