# A web page instead of a reply fails at once, with at most 512 bytes of it in one clean line.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step html
fails protocol
asked 1
grep -q 'Log in' err
[ "$(wc -c <err)" -lt 700 ] || { echo "the message is too long"; exit 1; }
if LC_ALL=C grep -q "$(printf '\a')" err; then echo "a control character got through"; exit 1; fi
jq -e . turn.json >where
