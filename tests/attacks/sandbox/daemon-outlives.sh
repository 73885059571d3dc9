#!/bin/sh
# Leaves a daemon behind (two forks and a session of its own) that changes the result after the verdict.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build daemon <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int n, char **v) {
  if (fork() > 0) return 0;
  setsid();
  if (fork() > 0) _exit(0);
  usleep(500000);
  open(v[1], O_CREAT | O_WRONLY, 0600);
}
C
./daemon outside
sandbox-run --policy compile -- ./daemon inside
sleep 2
[ -e outside ] || { echo "note: the daemon was slow even outside"; sleep 5; }
[ ! -e inside ]
