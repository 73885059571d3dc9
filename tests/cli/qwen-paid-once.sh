# With --record and --replay together, a reply that was paid for is used and not asked for again.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step 401 --record wire.jsonl --replay wire.jsonl # a failure is kept, and does not answer for ever
fails auth
printf '{"kind":"exch' >>wire.jsonl
step ok --record wire.jsonl --replay wire.jsonl
whole
mv turn.json online.json
step ok --record wire.jsonl --replay wire.jsonl
asked 1
cmp turn.json online.json
jq -s -c '[.[].outcome]' wire.jsonl | grep -qxF '["auth","turn"]'
