# Bad input is one line that names the place, exit 2, nothing on stdout, and nobody is asked.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
try() {  # the text that stderr must hold; the conversation on stdin
  cat >talk.jsonl
  refuses "$1" --model m --base-url "$(url ok/v1)"
  expect test "$(told count/ok)" = 0
}
printf '' | try 'standard input: holds no message'
printf '{"role":"user","content":"x"}\n{"role":\n' | try 'standard input:2'
printf '{"role":"user","content":"x"}\n{"role":"us' | try 'standard input:2'
printf '[1]\n' | try 'standard input:1: a message must be a JSON object'
printf '{"content":"x"}\n' | try 'needs a "role"'
printf '{"role":"robot","content":"x"}\n' | try 'unknown role "robot"'
printf '{"role":"user","content":"\377"}\n' | try 'standard input:1'
printf '{"role":"tool","tool_call_id":"c9","content":"x"}\n' | try '"c9" is no open tool call'
printf '{"role":"user","content":"x"}\n{"role":"assistant","tool_calls":[{"id":"c1"}]}\n{"role":"user","content":"y"}\n' |
  try 'tool call c1 has no result'
