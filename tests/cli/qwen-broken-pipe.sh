# A reader that left, or a full disk, is an error, not a success.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
[ -e /dev/full ] || exit 77
serve_faults
code=0
qwen-step --model m --base-url "$(url ok/v1)" <talk.jsonl >/dev/full 2>err || code=$?
expect test "$code" = 2
expect grep -q 'standard output: No space left' err
refuses '/dev/full/x' --model m --base-url "$(url ok/v1)" --record /dev/full/x
expect test "$(told count/ok)" = 1 # what can't be kept is not asked for
