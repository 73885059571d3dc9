#!/bin/sh
# The environment is the policy's and --setenv's.
set -eu
export SECRET=x LANG=C
got=$(sandbox-run --policy compile --setenv OMP_NUM_THREADS=2 --setenv HOME=/nowhere -- env | sort | tr '\n' ' ')
[ "$got" = 'HOME=/nowhere LANG=C.UTF-8 OMP_NUM_THREADS=2 PATH=/usr/local/bin:/usr/bin:/bin TMPDIR=/tmp ' ]
