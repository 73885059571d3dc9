#!/bin/sh
# Where the kernel refuses user namespaces, one line names the cause and the remedy, and the command does not run.
set -eu
command -v unshare >/dev/null || { echo "needs unshare"; exit 77; }
chmod 711 .
user=
[ "$(id -u)" -ne 0 ] || user='setpriv --reuid 54321 --regid 54321 --clear-groups'
# shellcheck disable=SC2086 # words
$user test -r "$(command -v sandbox-run)" || { echo "an ordinary user can't read the build folder"; exit 77; }
# The setting is that of a user namespace made for the test: the system's stays as it is.
# shellcheck disable=SC2016,SC2086 # expanded by the shell inside; words
$user unshare -Ur sh -c '
  echo 0 >/proc/sys/user/max_user_namespaces
  code=0
  sandbox-run --policy run-cpp -- sh -c "echo ran" || code=$?
  exit $code' >out 2>err || code=$?
cat err
[ "${code:-0}" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
grep -q 'max_user_namespaces' err
