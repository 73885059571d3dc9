#!/bin/sh
# Reaches for parts of the kernel that exploits come in by: bpf, perf, userfaultfd, mounts, SysV memory, memfd_create.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build surface <<'C'
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
// Each is called with arguments that the kernel refuses with another error than EPERM and ENOSYS once it gets that far.
static int reached(const char *name, long result) {
  if (result < 0 && (errno == EPERM || errno == ENOSYS)) return 0;
  printf("%s is reachable: %ld, errno %d\n", name, result, errno);
  return 1;
}
int main(void) {
  int n = 0;
  n += reached("bpf", syscall(SYS_bpf, 999, 0, 0));
  n += reached("perf_event_open", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
  n += reached("userfaultfd", syscall(SYS_userfaultfd, 1));
  n += reached("mount", syscall(SYS_mount, 0, 0, 0, 0, 0));
  n += reached("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
  n += reached("shmget", syscall(SYS_shmget, 0, 4096, 01600));
  n += reached("memfd_create", syscall(SYS_memfd_create, "x", 0));
  n += reached("mq_open", syscall(SYS_mq_open, 0, 0, 0, 0));
  n += reached("socket(AF_VSOCK)", syscall(SYS_socket, 40, 1, 0));
  n += reached("socket(AF_NETLINK)", syscall(SYS_socket, 16, 3, 0));
  n += reached("open_by_handle_at", syscall(SYS_open_by_handle_at, -1, 0, 0));
  n += reached("kcmp", syscall(SYS_kcmp, getpid(), getpid(), 99, 0, 0));
  n += reached("seccomp", syscall(SYS_seccomp, 99, 0, 0));
  return n ? 0 : 42;
}
C
# Never run outside: as root the calls would do what they say.
policies='compile run-cpp shell' stopped_inside /attack/surface
