#!/bin/sh
# Takes descriptors or processor time from process 1 of its namespace, which measures the tree for the limits.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build blind <<'C'
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv) {
  pid_t victim = argc > 1 ? atoi(argv[1]) : 1;
  struct rlimit none = {0, 0};
  struct sched_param param = {0};
  int done = prlimit(victim, RLIMIT_NOFILE, &none, 0) == 0;
  done += setpriority(PRIO_PROCESS, victim, 19) == 0;
  done += sched_setscheduler(victim, 5 /* SCHED_IDLE */, &param) == 0;
  printf("%d\n", done);
  return done ? 0 : 42;
}
C
sleep 30 &
succeeds_outside ./blind $!
kill $!
policies='compile run-cpp shell' stopped_inside /attack/blind
