#!/bin/sh
# Reads the caller's files: beside the working folder, in his home, and the system's secrets.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
mkdir work home
echo secret >home/key
chmod 600 home/key
# shellcheck disable=SC2016 # expanded by the shell inside
script='for f in "$1/key" /etc/shadow /etc/passwd /root/.bashrc /home /var /run /proc/1/environ /proc/1/maps; do
  if [ -d "$f" ]; then read=ls; else read=cat; fi
  if $read "$f" >/dev/null 2>&1; then echo "read $f"; exit 0; fi
done
exit 42'
succeeds_outside sh -c "$script" sh "$PWD/home"
cd work
policies=compile stopped_inside sh -c "$script" sh "${PWD%/work}/home"
