#!/bin/sh
# kill -9 of the loop at random moments, then --resume, ends in the ledger of an undisturbed run, times aside.
# KILLS sets how many runs are disturbed (20).
set -eu

. "$ASSAY_SRC/tests/cli/recorded.inc"
serve "$ASSAY_SRC/tests/cli/recorded/softmax.jsonl"
started=$(date +%s)
loop softmax_rows --run whole >/dev/null
seconds=$(($(date +%s) - started + 1))

# What must be equal: everything but times and measured numbers. A paid turn is asked for once only where no kill fell
# into it, so turns are compared by what they say.
facts() {
  jq -c '{kind, round, kernel, sha256, status, stage, reason, improved, best: (.best | if type == "object" then .kernel else . end), tool_calls}' "$1/ledger.jsonl"
  jq -c 'if .kind == "turn" then .message elif .role == "tool" then .tool_call_id else {kind, role, call, kernel} end' "$1/transcript.jsonl"
  jq -r 'select(.kind == "call" and .wrote) | .sha256' "$1/transcript.jsonl"
  (cd "$1/kernels" && sha256sum ./*)
}
facts whole >expected

n=0
while [ "$n" -lt "${KILLS:-20}" ]; do
  n=$((n + 1))
  run=run$n kills=$((n % 3 + 1))
  while [ "$kills" -gt 0 ]; do
    kills=$((kills - 1))
    pause=$(awk -v s="$seconds" -v seed="$(od -An -N4 -tu4 /dev/urandom)" 'BEGIN { srand(seed); printf "%.3f", rand() * s }')
    if [ -e "$run/settings.json" ]; then set -- --resume "$run"; else set -- softmax_rows --run "$run"; fi
    # A process group of its own, so that one kill in two takes the tools with it.
    setsid sh -c '. "$0"; loop "$@"' "$ASSAY_SRC/tests/cli/recorded.inc" "$@" >/dev/null 2>>"$run.err" &
    victim=$!
    sleep "$pause"
    if [ $((n % 2)) -eq 0 ]; then kill -9 -- "-$victim" 2>/dev/null || true; else kill -9 "$victim" 2>/dev/null || true; fi
    wait "$victim" 2>/dev/null || true
  done
  if [ -e "$run/settings.json" ]; then set -- --resume "$run"; else set -- softmax_rows --run "$run"; fi
  loop "$@" >/dev/null
  facts "$run" >got
  if ! cmp -s expected got; then
    echo "run $n differs from the undisturbed one:"
    diff expected got || true
    exit 1
  fi
done
