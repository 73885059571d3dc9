#!/bin/sh
# Where the host lends control groups, memory and processes of the tree end the run by the kernel's own counters, and no
# group is left behind.
set -eu
cat >small.json <<'J'
{"description": "small limits", "extends": "shell",
 "limits": {"wall_s": 10, "memory_bytes": 67108864, "processes": 12}}
J
sandbox-run -p ./small.json -r none.json -- true
jq -e '.protections | index("cgroup_memory") and index("cgroup_processes")' none.json >/dev/null ||
  { echo "this host lends no control groups"; exit 77; }
code=0
# Each well below the limit of one process; together above it.
sandbox-run -p ./small.json -r memory.json -- sh -c 'for i in 1 2 3 4; do
  python3 -c "import time; b = bytearray(30 << 20); time.sleep(5)" & done; wait' 2>/dev/null || code=$?
[ "$code" -eq 124 ] && [ "$(jq -r .ended_by memory.json)" = memory ] || { cat memory.json; exit 1; }
code=0
sandbox-run -p ./small.json -r files.json -- sh -c 'head -c 100000000 /dev/zero >/tmp/file; sleep 5' 2>/dev/null || code=$?
[ "$code" -eq 124 ] && [ "$(jq -r .ended_by files.json)" = memory ] || { cat files.json; exit 1; }
code=0
sandbox-run -p ./small.json -r many.json -- sh -c 'while sleep 5 & do :; done' 2>/dev/null || code=$?
[ "$code" -eq 124 ] && [ "$(jq -r .ended_by many.json)" = processes ] || { cat many.json; exit 1; }
jq -e '.wall_time_s < 3' memory.json files.json many.json >/dev/null
# A limit that was not met ends nothing.
[ "$(jq -r .ended_by none.json)" = exit ]
sandbox-run -- sleep 1 &
supervisor=$!
sleep 0.5
group=$(sed -n 's|.*/\(assay-[0-9]*\)$|\1|p' "/proc/$(pgrep -P "$supervisor")/cgroup" | head -n 1)
[ -n "$group" ] && [ -n "$(find /sys/fs/cgroup -type d -name "$group" 2>/dev/null)" ]
wait "$supervisor"
[ -z "$(find /sys/fs/cgroup -type d -name "$group" 2>/dev/null)" ] || { echo "left behind: $group"; exit 1; }
