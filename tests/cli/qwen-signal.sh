# SIGTERM in the middle of a reply: exit 143, nothing on stdout, nothing recorded.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
qwen-step --model m --base-url "$(url drip/v1)" --record wire.jsonl <talk.jsonl >turn.json 2>err &
step=$!
for _ in $(seq 200); do
  [ "$(told count/drip)" = 0 ] || break
  sleep 0.05
done
sleep 0.3
kill -TERM "$step"
code=0
wait "$step" || code=$?
expect test "$code" = 143
expect test ! -s turn.json
expect test ! -s wire.jsonl
