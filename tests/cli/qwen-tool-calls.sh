# Pieces of tool calls come together by index, whatever the server does to ids and indices.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
calls='[.message.tool_calls[] | [.id, .function.name, .function.arguments]]'
step interleaved
is "$calls" '[["c1","a","{\"x\":1}"],["c2","b","{\"y\":2}"]]'
step repeated-id
is "$calls" '[["c1","a","{\"x\":1}"]]'
step same-index
is "$calls" '[["c1","a","{\"x\":1}"],["c2","b","{\"y\":2}"]]'
step no-index
is "$calls" '[["c1","a","{\"x\":1}"],["c2","b","{}"]]'
is .finish_reason '"tool_calls"'
step same-ids
is "$calls" '[["c1","a","{}"],["c1-2","b","{}"],["call_3","c","{}"]]'
is '.repairs | length' 2
# An id of an earlier turn is taken as well.
cat >>talk.jsonl <<'END'
{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"a","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"c1","content":"done"}
END
step repeated-id
is "$calls" '[["c1-2","a","{\"x\":1}"]]'
