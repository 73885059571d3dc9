# The README's pipeline: an honest faster kernel passes all three filters, and every record fits its schema.
set -eu
cp "$ASSAY_SRC"/kernels/softmax_rows/baseline.cc k1.cc
printf '{"kind":"candidate","v":1,"id":"k1","task":"%s","source":"k1.cc"}\n' "$ASSAY_SRC/kernels/softmax_rows" >in
kernel-lint <in >1
perturb-check <1 >2
time-kernel <2 >3
jq -e '.status == "ok" and .stage == "time" and .timing.speedup_geomean > 0' 3 >/dev/null || { cat 3; exit 1; }
jq -e '(.lint and .check and .timing) != null' 3 >/dev/null
i=1
for tool in kernel-lint perturb-check time-kernel; do
  "$tool" --schema >schema.json
  /usr/bin/python3 -c 'import json, sys, jsonschema
jsonschema.Draft202012Validator(json.load(open("schema.json"))).validate(json.load(open(sys.argv[1])))' "$i" ||
    { echo "$tool wrote a record that its own schema refuses"; exit 1; }
  i=$((i + 1))
done
