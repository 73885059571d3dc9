# Arguments that are no JSON object are kept aside raw; the message holds valid JSON, good calls stay.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step bad-arguments
whole
is '[.message.tool_calls[].function.arguments]' '["{}","{}","{\"b\": 2}"]'
is '[.tool_errors[] | [.id, .error, .arguments_raw]]' \
  '[["c1","invalid_arguments","{\"a\":"],["c2","invalid_arguments","[1]"]]'
