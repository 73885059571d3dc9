# Once a finish_reason came, nothing that happens to the connection spoils the turn.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step no-done
whole
is .usage.estimated true
step reset_after_finish --retries 0
whole
step hang_after_done
whole
is '.time_s < 20' true
is .usage '{"prompt_tokens":1000,"completion_tokens":10,"reasoning_tokens":0,"cached_tokens":600,"estimated":false}'
