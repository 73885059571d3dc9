# --dry-run shows the exact body and how options became fields, and needs neither key nor server.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
echo '[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]' >tools.json
qwen-step --model qwen3.7-max --dry-run --enable-thinking --preserve-thinking --thinking-budget 1000 \
  --max-completion-tokens 4000 --tools tools.json <talk.jsonl >turn.json
is .url '"https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"'
is .key_env '"DASHSCOPE_API_KEY"'
is '[.mapping[] | .field]' \
  '["model","enable_thinking","preserve_thinking","thinking_budget","max_completion_tokens","tools"]'
is '.body | del(.tools)' '{"model":"qwen3.7-max","stream":true,"stream_options":{"include_usage":true},"enable_thinking":true,"preserve_thinking":true,"thinking_budget":1000,"max_completion_tokens":4000,"messages":[{"role":"user","content":"Hello"}]}'
is '.body.tools[0].function.name' '"f"'
