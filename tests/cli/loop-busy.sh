#!/bin/sh
# A run directory in which another loop works: one line, exit 2, nothing changed; free again, the run goes on.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
say read_file '{"path": "task.json"}'
serve talk
seed run
: >run/transcript.jsonl
exec 8>>run/lock
flock 8
code=0
(recorded run) >out 2>err || code=$?
[ "$code" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s run/transcript.jsonl ] || { echo "exit $code"; cat err; exit 1; }
expect 'run: busy' "$(cat err)"
exec 8>&-
(recorded run) >out
tail -n 1 run/ledger.jsonl | jq -e '.reason == "model_stopped"' >/dev/null
