#!/bin/sh
# Changes settings of the whole system through /proc: core_pattern names a program that the kernel runs as root.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build change <<'C'
#include <fcntl.h>
#include <stdio.h>
int main(void) {
  const char *paths[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/net/ipv4/ip_forward",
                         "/proc/sys/user/max_user_namespaces", "/proc/sysrq-trigger",
                         "/proc/sys/fs/binfmt_misc/register"};
  for (int i = 0; i < 6; ++i)
    if (open(paths[i], O_WRONLY) >= 0) return puts(paths[i]), 0;
  return 42;
}
C
succeeds_outside ./change
policies='compile run-cpp shell' stopped_inside /attack/change
