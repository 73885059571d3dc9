# What --schema prints is a valid JSON Schema, for every program.
set -eu
for program in "$ASSAY_BUILD"/bin/*; do
  "$program" --schema >schema.json
  /usr/bin/python3 -c 'import json, jsonschema; jsonschema.Draft202012Validator.check_schema(json.load(open("schema.json")))' ||
    { echo "$(basename "$program") --schema is no JSON Schema"; exit 1; }
done
