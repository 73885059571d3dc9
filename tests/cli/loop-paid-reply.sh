#!/bin/sh
# shellcheck disable=SC2034 # url is read by recorded.inc
# A model's reply that was whole when the loop was killed is used, not asked for again: here nobody could be asked.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
url=http://127.0.0.1:9/v1
seed run '{"model_options": ["--retries", "1", "--deadline", "5"]}'
mkdir run/spool
reply() {  # the call's id
  jq -n -c --arg id "$1" '{kind: "turn", v: 1, message: {role: "assistant", content: "", tool_calls: [{id: $id, type: "function",
    function: {name: "read_file", arguments: "{\"path\":\"task.json\"}"}}]}, finish_reason: "tool_calls", usage: {prompt_tokens: 1, completion_tokens: 1}}'
}
reply a >run/spool/reply_1.77
reply b | head -c 100 >run/spool/reply_1.78  # cut off in the midst of writing
reply c >run/spool/reply_9.79                # of another turn
code=0
(recorded run) >out 2>err || code=$?
[ "$code" -eq 2 ] || { echo "exit $code"; cat err; exit 1; }
expect 'the model gave no turn' "$(tail -n 1 err)"
[ "$(jq -c 'select(.kind == "turn").message.tool_calls[0].id' run/transcript.jsonl)" = '"a"' ]
expect 'relative_l2' "$(answer run 1)"
[ ! -s run/ledger.jsonl ]  # the run did not end: it goes on when the model can be asked
