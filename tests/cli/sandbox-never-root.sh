#!/bin/sh
# Seen from outside, the command's user is never root; started by an ordinary user, it is he.
set -eu
sandbox-run --policy run-cpp -- sleep 100 &
launcher=$!
trap 'kill $launcher; wait $launcher || :' EXIT
tries=0
payload=
while [ -z "$payload" ] && [ $tries -lt 200 ]; do
  init=$(cat "/proc/$launcher/task/$launcher/children")
  for pid in $init; do payload=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null || :); done
  sleep 0.05
  tries=$((tries + 1))
done
uid=$(awk '/^Uid:/ { print $2 }' "/proc/${payload% }/status")
[ "$uid" -ne 0 ]
[ "$(id -u)" -eq 0 ] || [ "$uid" -eq "$(id -u)" ]
