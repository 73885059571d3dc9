#!/bin/sh
# A torn last line of a log is dropped and its step done again; damage elsewhere is refused and left as it is.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
say read_file '{"path": "task.json"}' read_file '{"path": "baseline.cc"}' write_kernel '{"source": "int x;\n"}'
serve talk
seed whole
(recorded whole) >/dev/null
facts() { jq -c 'if .kind == "turn" then .message else del(.elapsed_s) end' "$1/transcript.jsonl"; }
facts whole >expected
size=$(wc -c <whole/transcript.jsonl)
for cut in 1 7 300 1500 $((size / 2)) $((size - 3000)); do
  rm -rf run
  cp -r whole run
  rm -f run/kernels/*
  : >run/ledger.jsonl
  head -c $((size - cut)) whole/transcript.jsonl >run/transcript.jsonl
  case $(jq -c 'select(.kind == "call" and .wrote)' run/transcript.jsonl 2>/dev/null) in
    ?*) cp whole/kernels/* run/kernels ;;
  esac
  (recorded run) >/dev/null
  facts run >got
  cmp expected got || { echo "cut $cut"; diff expected got; exit 1; }
  cmp whole/kernels/kernel_v1.cc run/kernels/kernel_v1.cc
  [ "$(jq -c 'select(.kind == "stop")' run/ledger.jsonl | wc -l)" -eq 1 ]
done
sed '2s/^{/[/' whole/transcript.jsonl >run/transcript.jsonl
cp run/transcript.jsonl before
code=0
(recorded run) >out 2>err || code=$?
[ "$code" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || { echo "exit $code"; cat err; exit 1; }
expect 'transcript.jsonl: damaged' "$(cat err)"
cmp before run/transcript.jsonl
