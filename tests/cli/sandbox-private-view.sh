#!/bin/sh
# The command sees its own processes, its own /tmp, its own host name, and nothing of the caller's command line.
set -eu
# shellcheck disable=SC2016 # expanded by the shell inside
sandbox-run --policy compile --setenv TOKEN=hidden -- sh -c '
  [ "$(ls -d /proc/[0-9]* | wc -l)" -le 4 ]
  [ "$(cat /proc/sys/kernel/hostname)" = sandbox ]
  [ "$(tr -d "\0" </proc/1/cmdline | wc -c)" -eq 0 ]
  [ "$(ls /tmp | wc -l)" -le 1 ]
  grep -q "^CapBnd:.0000000000000000" /proc/self/status
  grep -q "^CapEff:.0000000000000000" /proc/self/status
  grep -q "^NoNewPrivs:.1" /proc/self/status
  grep -q "^Seccomp:.2" /proc/self/status
  [ "$(cut -d" " -f6 /proc/self/stat)" -ne 0 ]'
