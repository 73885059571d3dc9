#!/bin/sh
# --keep-fd hands on the descriptors named, under their numbers, and no others.
set -eu
echo five >five
exec 4</dev/null 5<five 6</dev/null
# shellcheck disable=SC2016 # expanded by the shell inside
sandbox-run --policy compile --keep-fd 5 -- sh -c '
  read -r x <&5 && [ "$x" = five ] && [ ! -e /dev/fd/4 ] && [ ! -e /dev/fd/6 ]'
code=0
sandbox-run --policy compile --keep-fd 9 -- true 2>err || code=$?
[ "$code" -eq 2 ] && [ "$(cat err)" = 'sandbox-run: keep descriptor 9: is not open' ]
