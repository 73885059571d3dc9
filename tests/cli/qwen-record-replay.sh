# --record keeps each attempt; --replay gives the same bytes without a server, and refuses another request.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step 500-then-ok --record wire.jsonl
whole
mv turn.json online.json
jq -s -c '[.[].outcome]' wire.jsonl | grep -qxF '["server","turn"]'
step 429-late --record wire429.jsonl
fails rate_limited
stop_server
step ok --replay wire.jsonl
cmp turn.json online.json
step ok --replay wire429.jsonl
fails rate_limited
refuses 'holds no reply to this request' --model m --base-url "$(url ok/v1)" --replay wire.jsonl --no-thinking
printf '{"kind":"exch' >>wire.jsonl # a crash tore the last line
step ok --replay wire.jsonl
cmp turn.json online.json
expect test "$(stat -c %a wire.jsonl)" = 600
