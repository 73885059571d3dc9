#!/bin/sh
# Opens the file that it was given to read a second time, for writing, through /proc/self/fd.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
mkdir work && chmod 755 work && cd work  # the input stays beside the folder that policies let be written
build reopen <<'C'
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  char byte;
  int again = open("/proc/self/fd/0", O_RDONLY);
  if (again < 0 || read(again, &byte, 1) != 1 || byte != 'k') return 1; /* as /dev/stdin, it may be read */
  int fd = open("/proc/self/fd/0", O_WRONLY | O_TRUNC);
  return fd >= 0 && write(fd, "forged", 6) == 6 ? 0 : 42;
}
C
echo kept >../input
chmod 666 ../input
succeeds_outside ./reopen <../input
[ "$(cat ../input)" = forged ] || { echo "the attack does not work outside"; exit 1; }
echo kept >../input
sandbox-run --policy run-cpp --report report.json -- true
jq -e '.protections | index("landlock")' report.json >/dev/null || { echo "this kernel has no Landlock"; exit 77; }
for each in compile run-cpp shell; do
  policies=$each stopped_inside /attack/reopen <../input
  [ "$(cat ../input)" = kept ] || { echo "policy $each: the input was written"; exit 1; }
done
