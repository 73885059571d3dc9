#!/bin/sh
# --schema describes the record: every key of a record is in it, and every key it requires is in the record.
set -eu
sandbox-run --schema >schema.json
sandbox-run --policy compile --capture -- true >run.json
jq -e --slurpfile run run.json '($run[0] | keys) as $keys |
  (.required - $keys) == [] and ($keys - (.properties | keys)) == []' schema.json >/dev/null
! python3 -c 'import jsonschema' 2>/dev/null ||
  python3 -c 'import json, jsonschema; jsonschema.validate(json.load(open("run.json")), json.load(open("schema.json")))'
