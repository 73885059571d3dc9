#!/bin/sh
# SIGTERM to sandbox-run ends the tree, and the record is still written.
set -eu
mkfifo started
sandbox-run --policy compile --report run.json -- \
  sh -c 'trap "" TERM; echo x; sleep 100 & sleep 100' >started 2>/dev/null &
launcher=$!
read -r _ <started
kill -TERM $launcher
code=0
wait $launcher || code=$?
[ "$code" -eq 143 ]
[ "$(jq -c '[.ended_by, .signal]' run.json)" = '["signal",15]' ]
