#!/bin/sh
# Makes processes without end; the process table is everyone's.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build bomb <<'C'
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
  int made = 0;
  for (int i = 0; i < 400; ++i) {
    pid_t pid = fork();
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (int j = 0; j < 30; ++j) sleep(1);
      _exit(0);
    }
    made += pid > 0;
  }
  printf("%d\n", made);
  return made == 400 ? 0 : made < 100 ? 42 : 1;
}
C
succeeds_outside ./bomb
limit=processes stopped_inside /attack/bomb
