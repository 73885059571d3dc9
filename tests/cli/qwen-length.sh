# A reply cut at its length says so, and a tool call in it is reported but never offered.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step length
whole
is .finish_reason '"length"'
is .message.content '"it goes on and"'
step cut-call
whole
is .finish_reason '"truncated"'
is .message.tool_calls null
is '[.tool_errors[] | [.error, .name, .arguments_raw]]' \
  '[["truncated","write","{\"a\":1}"],["truncated","write","{\"a\":"]]'
