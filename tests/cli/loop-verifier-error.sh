#!/bin/sh
# A verifier that fails is no verdict: no round is spent, three in a row end the run with exit 2, and --resume tries again.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
cp -r "$task" copy
task=$PWD/copy
mv copy/reference.cc whole
echo 'no reference' >copy/reference.cc
jq -n -c --rawfile source "$ASSAY_SRC/tests/cli/recorded/softmax_rows/v2.cc" '{source: $source}' >arguments
say write_kernel "$(cat arguments)" run_verification '{}' run_verification '{}' run_verification '{}' run_verification '{}'
serve talk
seed run
code=0
(recorded run) >out 2>err || code=$?
[ "$code" -eq 2 ] || { echo "exit $code"; cat out err; exit 1; }
expect 'This is no verdict on kernel_v1 and costs no round' "$(answer run 2)"
expect '"error" 1;"error" 1;"error" 1;"stop" null;' "$(jq -c -j '(.kind | tojson), " ", (if .kind == "error" then .round else null end | tojson), ";"' run/ledger.jsonl)"
tail -n 1 run/ledger.jsonl | jq -e '.reason == "verifier_errors" and .rounds == 0' >/dev/null

mv whole copy/reference.cc
(recorded run) >out
jq -c 'select(.kind == "evaluation") | [.round, .status, .stage]' run/ledger.jsonl >rounds
[ "$(cat rounds)" = '[1,"rejected","check"]' ] || { cat run/ledger.jsonl; exit 1; }
tail -n 1 run/ledger.jsonl | jq -e '.reason == "model_stopped" and .rounds == 1' >/dev/null
