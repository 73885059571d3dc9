#!/bin/sh
# Burns CPU time in many short processes, none of which reaches the limit of one.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
cp "$ASSAY_SRC/policies/base.json" .
jq '.limits.cpu_s = 1 | .limits.wall_s = 100' "$ASSAY_SRC/policies/compile.json" >short.json
code=0
# shellcheck disable=SC2016 # expanded by the shell inside
sandbox-run --policy short.json --report run.json -- \
  sh -c 'while :; do (i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done); done' || code=$?
cat run.json
[ "$code" -eq 124 ] && [ "$(jq -r .ended_by run.json)" = cpu ]
jq -e '.user_time_s + .system_time_s | . >= 0.8 and . < 4' run.json
