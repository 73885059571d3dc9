#!/bin/sh
# Makes a user namespace of its own, where it would have every capability again.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build nest <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  struct clone_args args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
  long pid = syscall(SYS_clone3, &args, sizeof args);
  if (pid == 0) _exit(0);
  if (pid > 0) return 0;
  for (int flag = 0; flag < 2; ++flag) {  // the second time with a bit set above the 32 that the kernel reads
    pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD | (long)flag << 40, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    if (pid > 0) return 0;
  }
  int ns = open("/proc/self/ns/user", O_RDONLY);
  if (ns >= 0 && (setns(ns, 0) == 0 || errno == EINVAL)) return 0;  // EINVAL: the kernel itself looked at it
  return unshare(CLONE_NEWUSER) == 0 ? 0 : 42;
}
C
succeeds_outside ./nest
policies='compile run-cpp shell' stopped_inside /attack/nest
