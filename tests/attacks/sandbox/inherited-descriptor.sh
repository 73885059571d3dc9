#!/bin/sh
# Reads a secret through a descriptor that the caller left open.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
echo secret >secret
exec 3<secret 7<secret 9>>log
build leak <<'C'
#include <fcntl.h>
int main(void) {
  for (int fd = 3; fd < 1024; ++fd)
    if (fcntl(fd, F_GETFD) >= 0) return 0;
  return 42;
}
C
succeeds_outside ./leak
stopped_inside /attack/leak
