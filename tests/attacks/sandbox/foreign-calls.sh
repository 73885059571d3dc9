#!/bin/sh
# Makes system calls through the 32-bit table and the x32 table, which a filter for x86-64 does not describe.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
[ "$(uname -m)" = x86_64 ] || { echo "x86-64 only"; exit 77; }
build i386 <<'C'
int main(void) {
  long pid = 20;  // getpid
  __asm__ volatile("int $0x80" : "+a"(pid) : : "memory");
  return pid > 0 ? 0 : 42;
}
C
build x32 <<'C'
#include <unistd.h>
int main(void) { return syscall(0x40000000 | 39) > 0 ? 0 : 42; }
C
succeeds_outside ./i386
succeeds_outside ./x32
for policy in compile run-cpp shell; do
  for attack in i386 x32; do
    code=0
    sandbox-run --policy "$policy" --ro "$PWD:/attack" -- "/attack/$attack" || code=$?
    [ "$code" -eq 159 ] || { echo "policy $policy, $attack: exit $code, expected death by SIGSYS"; exit 1; }
  done
done
