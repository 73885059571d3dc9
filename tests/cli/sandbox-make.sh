#!/bin/sh
# A build that runs other programs works under compile and shell.
set -eu
printf 'all: k.so\nk.so: k.c\n\tgcc -shared -fPIC -o $@ $<\n' >Makefile
echo 'int k(void) { return 7; }' >k.c
for policy in compile shell; do
  rm -f k.so
  sandbox-run --policy "$policy" -- make -s
  [ -s k.so ]
done
# The report through a shell's own pipe, and nothing left where the disk is full.
mkfifo pipe
jq -r .ended_by <pipe >got &
sandbox-run --report /dev/fd/3 -- true 3>pipe
wait
[ "$(cat got)" = exit ]
