# Turns and errors are as --schema says.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
/usr/bin/python3 -c 'import jsonschema' 2>where || { echo "python3-jsonschema is not installed"; exit 77; }
serve_faults
qwen-step --schema >schema.json
for name in ok bad-arguments cut-call same-ids reasoning-only no-usage 401; do
  step "$name"
  /usr/bin/python3 -c 'import json, jsonschema
jsonschema.validate(json.load(open("turn.json")), json.load(open("schema.json")))'
done
