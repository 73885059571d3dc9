#!/bin/sh
# kill -9 of the loop at random moments, then --resume, ends in the ledger of an undisturbed run, times aside.
# KILLS sets how many runs are disturbed (20), each by one to three kills.
set -eu

. "$ASSAY_SRC/tests/cli/recorded.inc"
# shellcheck disable=SC2034  # read by recorded
apart=1  # a process group of its own
serve "$ASSAY_SRC/tests/cli/recorded/softmax_rows"
read -r start _ </proc/uptime
(recorded whole >/dev/null)
read -r end _ </proc/uptime

# What must be equal: everything but times and what follows from them.
facts() {
  jq -c '{kind, round, kernel, sha256, status, stage, reason, tool_calls}' "$1/ledger.jsonl"
  jq -c 'if .kind == "turn" then .message elif .role then {role, tool_call_id}
    else {kind, call, tool, error, kernel, sha256, wrote, reason} end' "$1/transcript.jsonl"
  (cd "$1/kernels" && sha256sum ./*)
}

# What must follow from the run's own times: which kernel is the best.
sound() {
  jq -s -e 'def rule($best): .status == "ok" and .speedup_ci[0] > (if $best then 1.02 * $best.speedup else 1 end);
    reduce (.[] | select(.kind == "evaluation")) as $e ({best: null, ok: true};
      .best as $best | if $e | rule($best) then .best = $e | .ok = (.ok and $e.improved) else .ok = (.ok and ($e.improved | not)) end
      | .ok = (.ok and $e.best == .best.kernel))
    | .ok' "$1/ledger.jsonl" >/dev/null || return 1
  best=$(jq -s -r 'map(select(.kind == "evaluation")) | last.best // ""' "$1/ledger.jsonl")
  [ "$(readlink "$1/best" || true)" = "${best:+kernels/$best.cc}" ]
}
facts whole >expected
sound whole

disturb() {  # number
  run=run$1 kills=$(($1 % 3 + 1))
  while [ "$kills" -gt 0 ]; do
    kills=$((kills - 1))
    pause=$(awk -v s="$start" -v e="$end" -v seed="$(od -An -N4 -tu4 /dev/urandom)" \
      'BEGIN { srand(seed); printf "%.3f", rand() * (e - s) }')
    recorded "$run" >/dev/null 2>>"$run.err" &
    victim=$!
    sleep "$pause"
    # One time in two the tools that it runs are killed with it, the other time it alone.
    if [ $(($1 / 2 % 2)) -eq 0 ]; then kill -s KILL -- "-$victim"; else kill -s KILL "$victim"; fi 2>/dev/null || true
    code=0
    wait "$victim" 2>/dev/null || code=$?
    [ "$code" -ne 137 ] || echo "$1" >>landed
  done
  (recorded "$run" >/dev/null 2>>"$run.err") || { echo "run $1 could not go on:"; cat "$run.err"; return 1; }
  facts "$run" >"$run.facts"
  diff expected "$run.facts" >"$run.diff" || { echo "run $1 differs from the undisturbed one:"; cat "$run.diff"; return 1; }
  sound "$run" || { echo "run $1 has an unsound ledger:"; cat "$run/ledger.jsonl"; return 1; }
  [ ! -s "$run.err" ] || { echo "run $1 complained:"; cat "$run.err"; return 1; }
}

# Two at a time: what is measured does not matter here.
n=0
while [ "$n" -lt "${KILLS:-20}" ]; do
  disturb $((n + 1)) &
  one=$!
  disturb $((n + 2)) &
  other=$!
  n=$((n + 2))
  wait "$one" || exit 1
  wait "$other" || exit 1
done
# A kill that comes after the end proves nothing: most must have landed.
echo "$(wc -l <landed) kills landed in ${KILLS:-20} runs"
[ "$(wc -l <landed)" -ge $((${KILLS:-20} * 3 / 4)) ]
