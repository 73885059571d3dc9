#!/bin/sh
# Recognises the machine, and the moment, by how long it has been up.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build uptime <<'C'
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv) {
  long up = atol(argv[1]);
  struct timespec monotonic, boot;
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  clock_gettime(CLOCK_BOOTTIME, &boot);
  return labs(monotonic.tv_sec - up) < 60 || labs(boot.tv_sec - up) < 60 ? 0 : 42;
}
C
read -r up _ </proc/uptime
up=${up%.*}
[ "$up" -gt 120 ] || { echo "the machine has only just started"; exit 77; }
succeeds_outside ./uptime "$up"
sandbox-run --policy run-cpp --report report.json -- true
jq -e '.protections | index("time_namespace")' report.json >/dev/null || { echo "this kernel has no time namespaces"; exit 77; }
policies='compile run-cpp shell' stopped_inside /attack/uptime "$up"
