# Options that contradict each other, or an unusable URL or key, are refused before anybody is asked.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
refuses '--model' --base-url http://127.0.0.1:1/v1
refuses 'DASHSCOPE_API_KEY' --model m
refuses '--key-env' --model m --base-url https://example.com/v1
refuses 'https://' --model m --base-url http://example.com/v1 --key-env K
refuses '--key-env' --model m --base-url http://127.0.0.1.example.com/v1
refuses 'must begin with' --model m --base-url file:///etc/passwd
refuses 'no user or password' --model m --base-url https://u:p@example.com/v1
refuses '--thinking-budget' --model m --thinking-budget 100 --no-thinking --base-url http://localhost/v1
refuses '--thinking-budget' --model m --thinking-budget 100 --max-completion-tokens 100 --base-url http://localhost/v1
refuses '262144' --model qwen3.7-max-2026-05-20 --thinking-budget 300000
refuses 'standard input' --model m talk.jsonl
echo '{}' >tools.json
refuses 'tools.json' --model m --tools tools.json --base-url http://localhost/v1
export K='two words'
refuses 'blank' --model m --base-url https://example.com/v1 --key-env K
