# Thinking is found under either name or between tags; thinking alone is an empty turn; usage is never missing.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step reasoning-alias
is .message '{"role":"assistant","content":"yes","reasoning_content":"because"}'
step think-tags
is .message '{"role":"assistant","content":"yes","reasoning_content":"\nbecause"}'
step reasoning-only
whole
is .finish_reason '"empty"'
step no-usage
is '.usage | [.completion_tokens, .reasoning_tokens, .estimated]' '[110,100,true]'
is '.usage.prompt_tokens > 0' true
