#!/bin/sh
# Writes beside the working folder, and where the system keeps programs.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
mkdir work beside
# shellcheck disable=SC2016 # expanded by the shell inside
script='for f in "$1/planted" /planted /usr/planted /usr/bin/planted /etc/planted /sys/planted /dev/planted; do
  if true 2>/dev/null >"$f"; then rm -f "$f"; exit 0; fi
done
exit 42'
succeeds_outside sh -c "$script" sh "$PWD/beside"
cd work
policies='compile run-cpp shell' stopped_inside sh -c "$script" sh "${PWD%/work}/beside"
