#!/bin/sh
# Arranges, before the verifier freezes it, for a signal that would wake it while its output is being read.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build wake <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  int n = 0, ends[2];
  pipe(ends);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
  struct f_owner_ex owner = {F_OWNER_PID, getpid()};
  timer_t timer;
  int self = getpid();
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) n++, puts("timer_create");
  if (fcntl(ends[0], F_SETSIG, SIGCONT) == 0) n++, puts("F_SETSIG");
  if (fcntl(ends[0], F_SETOWN, self) == 0) n++, puts("F_SETOWN");
  if (fcntl(ends[0], F_SETOWN_EX, &owner) == 0) n++, puts("F_SETOWN_EX");
  if (fcntl(open("/", O_RDONLY), F_NOTIFY, DN_CREATE) == 0) n++, puts("F_NOTIFY");
  if (ioctl(ends[0], FIOASYNC, &self) == 0) n++, puts("FIOASYNC");
  if (prctl(PR_SET_PDEATHSIG, SIGCONT) == 0) n++, puts("PR_SET_PDEATHSIG");
  if (kill(self, 0) == 0) n++, puts("kill");
  if (syscall(SYS_pidfd_open, self, 0) >= 0) n++, puts("pidfd_open");
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) n++, puts("fork");
  child = vfork();
  if (child == 0) _exit(0);
  if (child > 0) n++, puts("vfork");
  return n ? 0 : 42;
}
C
succeeds_outside ./wake
policies=run-cpp stopped_inside /attack/wake
