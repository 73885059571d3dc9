#!/bin/sh
# Root where no user namespace can be made still confines, when the policy lets that one protection be missing; the
# record says that it is.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "needs root"; exit 77; }
limit=/proc/sys/user/max_user_namespaces
# A user namespace that maps every user, root among them, is a machine of its own in this respect.
unshare -U sh -c 'sleep 30' &
holder=$!
tries=0
until [ "$(readlink /proc/$holder/ns/user)" != "$(readlink /proc/self/ns/user)" ] || [ $tries -eq 100 ]; do
  sleep 0.05
  tries=$((tries + 1))
done
echo '0 0 65536' >/proc/$holder/uid_map
echo '0 0 65536' >/proc/$holder/gid_map
code=0
nsenter -U -t $holder --preserve-credentials sh -c "
  echo 0 >$limit
  exec sandbox-run --policy run-cpp --report run.json -- cat /proc/self/status" >status || code=$?
kill $holder
[ "$code" -eq 0 ]
[ "$(jq -c .protections_missing run.json)" = '["user_namespace"]' ]
grep -q '^Uid:.65534' status && grep -q '^CapEff:.0000000000000000' status && grep -q '^Seccomp:.2' status
