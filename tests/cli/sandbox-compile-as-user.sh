#!/bin/sh
# Started by root, the same works as an ordinary user, and root's own files need not be his.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "needs root, to become another user"; exit 77; }
command -v setpriv >/dev/null || { echo "needs setpriv"; exit 77; }
as_user() { setpriv --reuid 54321 --regid 54321 --clear-groups "$@"; }
as_user test -r "$(command -v sandbox-run)" || { echo "an ordinary user can't read the build folder"; exit 77; }
chmod 711 .
mkdir users && chown 54321:54321 users && cd users
as_user sh -c 'echo "int f() { return 42; }" >k1.cc'
as_user sandbox-run --policy compile --report run.json -- g++ -shared -fPIC k1.cc -o k1.so
[ "$(stat -c %u k1.so)" = 54321 ] && [ "$(jq .exit_code run.json)" = 0 ]
# Root in the user's folder: what is made there is the user's.
sandbox-run --policy compile -- g++ -shared -fPIC k1.cc -o k2.so
[ "$(stat -c %u k2.so)" = 54321 ]
