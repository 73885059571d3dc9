#!/bin/sh
# The conversation opens with the system prompt and what was measured, in the language asked for, nothing unfilled.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
say read_file '{"path": "task.json"}'
serve talk
for language in en zh; do
  seed "$language" "{\"language\": \"$language\"}"
  (recorded "$language") >/dev/null
  system=$(sed -n 1p "$language/transcript.jsonl" | jq -r 'select(.role == "system").content')
  start=$(sed -n 2p "$language/transcript.jsonl" | jq -r 'select(.role == "user").content')
  case $system$start in *'{{'* | *null*) echo "unfilled: $system$start"; exit 1 ;; esac
  for text in softmax_rows 'struct Problem' 'rows=16 cols=32768' 'GB/s' 'GFLOP/s' "$(uname -m)" run_verification 'march=native' '0.0001'; do
    expect "$text" "$system"
  done
  for text in baseline.cc 'wide_bf16: [0-9]* us' latency 'vectorise the inner loop'; do expect "$text" "$start"; done
done
sed -n 1p zh/transcript.jsonl | jq -e '.content | test("瓶颈分析")' >/dev/null
