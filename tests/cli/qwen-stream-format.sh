# Byte order mark, CRLF, comments, data over several lines and UTF-8 cut anywhere: the same text.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
for name in quirky bytewise; do
  step "$name"
  whole
  is .message.content '"naïve 😀"'
done
