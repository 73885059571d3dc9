# Every script is POSIX sh and passes shellcheck; those that people run are under 80 lines.
set -eu
cd "$ASSAY_SRC"
find scripts .ci kernels tests -type f -exec grep -lE '^#!/bin/sh' {} + >"$OLDPWD/scripts"
find tests -name '*.sh' >>"$OLDPWD/scripts"
sort -u "$OLDPWD/scripts" | xargs shellcheck -x -s sh -e SC2015,SC1091,SC2013,SC2038
if grep -rlE '^#!/bin/(ba|k|z)sh' scripts kernels tests .ci; then echo "is no POSIX sh"; exit 1; fi
find scripts -type f -exec grep -lE '^#!/bin/sh' {} + | xargs wc -l | awk '$2 != "total" && $1 >= 80 {
  print $2 " has " $1 " lines: a script is under 80"; bad = 1 } END { exit bad }'
