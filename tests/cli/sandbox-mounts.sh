#!/bin/sh
# --ro and --rw bring in a file or a folder under a name of one's choice, and --ro is read-only.
set -eu
umask 077
mkdir in out
echo data >in/file
# shellcheck disable=SC2016 # expanded by the shell inside
sandbox-run --policy run-cpp --ro in:/data --ro in/file:/one --rw out:/out -- sh -c '
  read -r x </data/file && [ "$x" = data ]
  read -r x </one && [ "$x" = data ]
  if true 2>/dev/null >/data/new; then exit 1; fi
  if true 2>/dev/null >/one; then exit 1; fi
  echo result >/out/file'
[ "$(cat out/file)" = result ]
[ "$(cat in/file)" = data ]
