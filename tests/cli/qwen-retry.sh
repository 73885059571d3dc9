# A broken reply, a 5xx and a dropped connection are asked for again, and the turn says how often.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
for name in eof half-call 500 503 reset error-chunk json; do
  step "$name-then-ok"
  whole
  is .message.content '"fine"'
  is .attempts 2
done
step 500 --retries 1
fails server
is .attempts 2
asked 2
