# The key goes into the request's header and nowhere else, even when the server quotes it.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
export MY_KEY=sk-very-secret-1
export ASAN_OPTIONS=detect_leaks=0 # the program forbids tracing itself once it holds a key
step ok --key-env MY_KEY --record wire.jsonl
whole
expect test "$(told key/ok)" = "Bearer sk-very-secret-1"
step 401 --key-env MY_KEY --record wire.jsonl
fails auth
qwen-step --model m --base-url "$(url ok/v1)" --key-env MY_KEY --dry-run <talk.jsonl >dry.json
if grep -l very-secret turn.json err wire.jsonl dry.json; then exit 1; fi
export DASHSCOPE_API_KEY=sk-very-secret-2 # not asked for: another server does not get it
step length
expect test -z "$(told key/length)"
