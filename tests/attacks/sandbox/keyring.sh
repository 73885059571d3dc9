#!/bin/sh
# Leaves a message for the next run in a kernel keyring.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build keys <<'C'
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  if (syscall(SYS_add_key, "user", "assay-test", "x", 1, KEY_SPEC_PROCESS_KEYRING) >= 0) return 0;
  if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, "assay-test") >= 0) return 0;
  return syscall(SYS_request_key, "user", "assay-test", 0, KEY_SPEC_SESSION_KEYRING) >= 0 ? 0 : 42;
}
C
succeeds_outside ./keys
policies='compile run-cpp shell' stopped_inside /attack/keys
