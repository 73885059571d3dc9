#!/bin/sh
# Whoever supervises is killed (out of memory, say), and the payload would go on unwatched.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
mkfifo held
trial() { # POLICY SCRIPT: the fifo's reader sees its end once every process that could write to it is gone
  sandbox-run --policy "$1" -- sh -c "$2" >held &
  launcher=$!
  { read -r line && [ "$line" = started ]; kill -9 "$launcher"; timeout 60 cat; } <held
}
trial compile 'trap "" TERM HUP; setsid sleep 100 & echo started; while :; do :; done'
trial run-cpp 'trap "" TERM HUP; echo started; while :; do :; done'
