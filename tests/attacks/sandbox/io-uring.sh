#!/bin/sh
# Does through io_uring what the filter forbids as a call: the filter does not see what is queued there.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build ring <<'C'
#include <linux/io_uring.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  struct io_uring_params params = {0};
  return syscall(SYS_io_uring_setup, 4, &params) >= 0 ? 0 : 42;
}
C
succeeds_outside ./ring
policies='compile run-cpp shell' stopped_inside /attack/ring
