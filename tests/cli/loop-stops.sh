#!/bin/sh
# shellcheck disable=SC2154 # server is set by recorded.inc
# Each budget and breaker ends the run with its reason; the run is then at its end, and --resume changes nothing.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
set --
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do set -- "$@" read_file "{\"path\": \"${n}\"}"; done
say "$@"
serve talk

stops() {  # reason, settings
  rm -rf run
  seed run "$2"
  (recorded run) >/dev/null
  reason=$(tail -n 1 run/ledger.jsonl | jq -r .reason)
  [ "$reason" = "$1" ] || { echo "$2: ended by $reason, not by $1"; exit 1; }
  tail -n 1 run/ledger.jsonl >last
  tail -n 1 run/transcript.jsonl | cmp - last
  cp run/transcript.jsonl before
  (recorded run) >/dev/null
  cmp run/transcript.jsonl before
  [ "$(jq -c 'select(.kind == "stop")' run/ledger.jsonl | wc -l)" -eq 1 ]
}
stops model_stopped '{}'
[ "$(jq -c 'select(.role == "user")' run/transcript.jsonl | wc -l)" -eq 3 ]  # the opening, and two questions
stops tool_call_budget '{"max_tool_calls": 3}'
[ "$(jq -c 'select(.role == "tool")' run/transcript.jsonl | wc -l)" -eq 3 ]
stops token_budget '{"max_tokens": 2000}'
stops no_speedup_in_time '{"max_hours_without_speedup": 0.0003}'

kill "$server"
jq -n -c '{content: "", tool_calls: [{name: "read_file", arguments: {path: "same"}}]}' >one
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do cat one; done >talk/turns.jsonl
rm port
serve talk
stops repeated_call '{}'
