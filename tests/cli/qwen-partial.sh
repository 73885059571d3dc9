# A reply that ended early is never a turn: not at end of file, not with half a tool call, not after [DONE] alone.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
for name in eof half-call no-finish empty bad-chunk comments-only; do
  step "$name" --retries 0
  fails protocol
done
step abort --retries 0
fails server
step cut --retries 0
fails network
step reset --retries 0
fails network
