#!/bin/sh
# Reaches into another process: traces one, or writes its memory, init's first of all.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build reach <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  char byte;
  struct iovec iov = {&byte, 1};
  if (open("/proc/1/mem", O_RDWR) >= 0 && getuid() != 0) return 0;
  if (process_vm_readv(getpid(), &iov, 1, &iov, 1, 0) == 1) return 0;
  return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ? 0 : 42;
}
C
succeeds_outside ./reach
policies='compile run-cpp shell' stopped_inside /attack/reach
