#!/bin/sh
# Wrong usage is one line and exit 2; the schema is JSON and knows the result.
set -eu
for bad in "--pairs 2" "--budget -1" "--seed x" "--nonsense" "file.jsonl"; do
  code=0
  # shellcheck disable=SC2086 # two words
  time-kernel $bad </dev/null >out 2>err || code=$?
  [ "$code" = 2 ] && [ -s err ] && [ ! -s out ]
done
time-kernel --schema | jq -e '.properties.timing.properties.workloads.items.required | index("speedup_ci")'
time-kernel --help | grep -q Example
time-kernel </dev/null
