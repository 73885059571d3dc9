#!/bin/sh
# Takes memory that no limit of one process counts: shared, and spread over many processes.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
cp "$ASSAY_SRC/policies/base.json" .
jq '.limits.memory_bytes = 134217728' "$ASSAY_SRC/policies/compile.json" >small.json
build shared <<'C'
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
  char *p = mmap(0, 1 << 29, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return 42;
  for (size_t at = 0; at < 1 << 29; at += 1 << 20) memset(p + at, 1, 1 << 20), usleep(10000);
}
C
build spread <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 8; ++i)
    if (fork() == 0) {
      volatile char *p = malloc(64 << 20);
      for (int at = 0; p && at < 64 << 20; at += 4096) p[at] = 1;
      sleep(20);
      _exit(p == 0);
    }
  int status, failed = 0;
  while (wait(&status) > 0) failed |= status;
  return failed ? 42 : 0;
}
C
for attack in shared spread; do
  code=0
  sandbox-run --policy small.json --report run.json -- "./$attack" || code=$?
  cat run.json
  [ "$code" -eq 124 ] && [ "$(jq -r .ended_by run.json)" = memory ]
done
