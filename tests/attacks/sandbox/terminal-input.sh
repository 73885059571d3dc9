#!/bin/sh
# Types a command into the caller's terminal (TIOCSTI), to run after the sandbox has ended.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
command -v script >/dev/null || { echo "script(1) is not installed: no terminal to attack"; exit 77; }
build type <<'C'
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  if (!isatty(0)) return 3;
  for (int fd = 0; fd < 3; ++fd) {
    if (ioctl(fd, TIOCSTI, "x") == 0) return 0;
    if (syscall(SYS_ioctl, fd, TIOCSTI | 1L << 32, "x") == 0) return 0;  // the kernel reads 32 bits
    char paste[] = {3};
    if (syscall(SYS_ioctl, fd, TIOCLINUX, paste) == 0) return 0;
  }
  return 42;
}
C
succeeds_outside script -qec ./type /dev/null </dev/null
for policy in compile run-cpp shell; do
  code=0
  script -qec "sandbox-run --policy $policy --ro '$PWD:/attack' -- /attack/type" /dev/null </dev/null || code=$?
  [ "$code" -eq 42 ] || { echo "policy $policy: exit $code"; exit 1; }
done
