# model-server serves a recording statelessly: the turn after those the request already holds, files filled in.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
mkdir recording
printf '// "kernel" ünïcode \\ \t\n%.0s' $(seq 100) >recording/v1.cc
cat >recording/turns.jsonl <<'END'
{"reasoning_content":"Look first.","content":"I profile.","tool_calls":[{"name":"profile_tool","arguments":{}}]}
{"content":"","tool_calls":[{"name":"write_kernel","arguments":{"name":"v1","source":{"file":"v1.cc"}}},{"name":"run_verification","arguments":{"kernel":"v1"}}]}
END
serve model-server --port-file port recording 2>log
url=$(url v1)
for _ in $(seq 100); do grep -q . log && break; sleep 0.05; done
grep -qx "model-server: $url" log
curl -s "$url/models" | jq -e '.data[0].id == "recorded"' >where
take() { qwen-step --model recorded --base-url "$url" <talk.jsonl >turn.json; }
take
is .message '{"role":"assistant","content":"I profile.","reasoning_content":"Look first.","tool_calls":[{"id":"call_1_1","type":"function","function":{"name":"profile_tool","arguments":"{}"}}]}'
mv turn.json again.json
take # no state: the same request has the same answer
is .message "$(jq -c .message again.json)"
cat turn.json >>talk.jsonl
echo '{"role":"tool","tool_call_id":"call_1_1","content":"ok"}' >>talk.jsonl
take
jq -j '.message.tool_calls[0].function.arguments | fromjson | .source' turn.json | cmp - recording/v1.cc
is '[.message.tool_calls[].function.name]' '["write_kernel","run_verification"]'
cat turn.json >>talk.jsonl
for id in call_2_1 call_2_2; do echo "{\"role\":\"tool\",\"tool_call_id\":\"$id\",\"content\":\"ok\"}" >>talk.jsonl; done
take
is .finish_reason '"stop"'
is .message.tool_calls null
curl -s "$url/chat/completions" -d '{"messages":[{"role":"user","content":"x"}]}' | # not streamed
  jq -e '.choices[0].message.content == "I profile." and .choices[0].finish_reason == "tool_calls"' >where
curl -s "$url/chat/completions" -d '{"messages":7}' | jq -e '.error.code == "invalid_request"' >where
