#!/bin/sh
# Writes a record of its own into every descriptor and every file that may hold the report.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
forgery='{"kind":"run","v":1,"ended_by":"exit","exit_code":0}'
build forge <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int n, char **v) {
  for (int fd = 3; fd < 1024; ++fd) write(fd, v[1], strlen(v[1]));
  FILE *f = fopen("run.json", "w");
  if (f) fputs(v[1], f), fclose(f);
  return 9;
}
C
code=0
sandbox-run --policy compile --report 3 -- ./forge "$forgery" 3>by-descriptor.json || code=$?
[ "$code" -eq 9 ] && [ "$(jq -s -c 'map(.exit_code)' by-descriptor.json)" = '[9]' ]
sandbox-run --policy compile --report run.json -- ./forge "$forgery" || code=$?
[ "$code" -eq 9 ] && [ "$(jq -s -c 'map(.exit_code)' run.json)" = '[9]' ]
# A report that shares its file with the command's own output is refused.
code=0
sandbox-run --policy compile --report 3 -- true >both 3>&1 2>refusal || code=$?
[ "$code" -eq 2 ] && grep -q 'could write there too' refusal
