#!/bin/sh
# kill -9 of the loop at random moments, then --resume, ends in the ledger of an undisturbed run, times aside.
# KILLS sets how many runs are disturbed (20).
set -eu

. "$ASSAY_SRC/tests/cli/recorded.inc"
apart=1  # a process group of its own
serve "$ASSAY_SRC/tests/cli/recorded/softmax_rows"
read -r start _ </proc/uptime
(recorded whole >/dev/null)
read -r end _ </proc/uptime

# What must be equal: everything but times, and what was measured.
facts() {
  jq -c '{kind, round, kernel, sha256, status, stage, reason, improved, tool_calls,
    best: (.best | if type == "object" then .kernel else . end)}' "$1/ledger.jsonl"
  jq -c 'if .kind == "turn" then .message elif .role then {role, tool_call_id}
    else {kind, call, tool, kernel, sha256, wrote, reason} end' "$1/transcript.jsonl"
  (cd "$1/kernels" && sha256sum ./*)
  readlink "$1/best"
}
facts whole >expected

n=0
while [ "$n" -lt "${KILLS:-20}" ]; do
  n=$((n + 1))
  run=run$n kills=$((n % 3 + 1))
  while [ "$kills" -gt 0 ]; do
    kills=$((kills - 1))
    pause=$(awk -v s="$start" -v e="$end" -v seed="$(od -An -N4 -tu4 /dev/urandom)" \
      'BEGIN { srand(seed); printf "%.3f", rand() * (e - s) }')
    recorded "$run" >/dev/null 2>>"$run.err" &
    victim=$!
    sleep "$pause"
    # One time in two the tools that it runs are killed with it, the other time it alone.
    if [ $((n % 2)) -eq 0 ]; then kill -9 -- "-$victim" 2>/dev/null || true; else kill -9 "$victim" 2>/dev/null || true; fi
    wait "$victim" 2>/dev/null || true
  done
  (recorded "$run" >/dev/null 2>>"$run.err") || { echo "run $n could not go on:"; cat "$run.err"; exit 1; }
  facts "$run" >got
  diff expected got >difference || { echo "run $n differs from the undisturbed one:"; cat difference; exit 1; }
  [ ! -s "$run.err" ] || { echo "run $n complained:"; cat "$run.err"; exit 1; }
done
