# A turn goes into the transcript as it is; other kinds are passed over; the prefix keeps its bytes.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step interleaved
cat turn.json >>talk.jsonl
told last/interleaved >first
cat >>talk.jsonl <<'END'
{"kind":"evaluation","v":1,"role":"ignored"}
{"role":"tool","tool_call_id":"c1","content":"one"}
{"role":"tool","tool_call_id":"c2","content":"two ☃"}
END
step reasoning-alias --preserve-thinking
cat turn.json >>talk.jsonl
step ok
whole
told last/ok >second
head=$(sed 's/\]}$//' first)
case $(cat second) in
  "$head"*) ;;
  *) echo "the prefix changed"; cat first second; exit 1 ;;
esac
jq -c '[.messages[] | .role]' second | grep -qxF '["user","assistant","tool","tool","assistant"]'
jq -e '.messages[4] | has("reasoning_content") | not' second >where
step no-usage --preserve-thinking
told last/no-usage | jq -e '.messages[4].reasoning_content == "because" and .preserve_thinking' >where
