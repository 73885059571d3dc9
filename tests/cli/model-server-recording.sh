# A recording with a mistake is refused before the server listens, by file and line; no file outside it is served.
set -eu
mkdir recording
refuses() {
  code=0
  cat >recording/turns.jsonl
  timeout 20 model-server --port-file port recording 2>err || code=$?
  if [ "$code" != 2 ] || [ -e port ] || ! grep -qF "$1" err; then
    echo "wanted exit 2 and: $1 (exit $code)"
    cat err
    exit 1
  fi
}
printf '{"content":"x"}\n{"conten\n' | refuses 'turns.jsonl:2'
printf '{"contents":"x"}\n' | refuses 'unknown key contents'
printf '{"content":"x","tool_calls":[{"name":"f","arguments":{"a":{"file":"../secret"}}}]}\n' | refuses 'lies outside'
printf '{"content":"x","tool_calls":[{"name":"f","arguments":{"a":{"file":"/etc/passwd"}}}]}\n' | refuses 'lies outside'
ln -s /etc/passwd recording/link
printf '{"content":"x","tool_calls":[{"name":"f","arguments":{"a":{"file":"link"}}}]}\n' | refuses 'lies outside'
printf '{"content":"x","tool_calls":[{"name":"f","arguments":{"a":{"file":"none.cc"}}}]}\n' | refuses 'none.cc'
printf '{"content":"x","tool_calls":[{"name":"f","arguments":[]}]}\n' | refuses 'arguments are an object'
printf '' | refuses 'holds no turn'
rm recording/turns.jsonl
code=0
timeout 20 model-server recording 2>err || code=$?
[ "$code" = 2 ]
grep -q 'turns.jsonl' err
