#!/bin/sh
# Whoever started the sandbox can stop the command and let it go on; a stopped command has not ended.
set -eu
mkfifo go
sandbox-run --policy run-cpp --report run.json -- sh -c 'read -r _; exit 5' <go &
launcher=$!
exec 3>go
payload=
tries=0
while [ -z "$payload" ] && [ $tries -lt 200 ]; do
  init=$(cat "/proc/$launcher/task/$launcher/children")
  for pid in $init; do payload=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null || :); done
  sleep 0.05
  tries=$((tries + 1))
done
payload=${payload% }
kill -STOP "$payload"
echo go >&3
sleep 0.5
[ "$(awk '{ print $3 }' "/proc/$payload/stat")" = T ]
[ ! -e run.json ]
kill -CONT "$payload"
code=0
wait $launcher || code=$?
[ "$code" -eq 5 ]
