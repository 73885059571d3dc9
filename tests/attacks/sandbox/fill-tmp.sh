#!/bin/sh
# Fills the memory of the machine through /tmp and /dev/shm: with bytes, and with empty files.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build fill <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char block[1 << 20];
static long fill_bytes(const char *folder) {  // MiB
  char path[100];
  for (long mib = 0;; ++mib) {
    snprintf(path, sizeof path, "%s/%ld", folder, mib);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    if (fd < 0 || write(fd, block, sizeof block) != sizeof block || mib > 1024) return mib;
    close(fd);
  }
}
static long fill_files(const char *folder) {
  char path[100];
  for (long n = 0;; ++n) {
    snprintf(path, sizeof path, "%s/e%ld", folder, n);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    if (fd < 0 || n > 100000) return n;
    close(fd);
  }
}
int main(void) {
  long mib = fill_bytes("/tmp") + fill_bytes("/dev/shm"), files = fill_files("/tmp") + fill_files("/dev/shm");
  printf("%ld MiB, %ld files\n", mib, files);
  return mib > 512 || files > 10000 ? 0 : mib > 0 ? 42 : 1;
}
C
stopped_inside /attack/fill # outside it would succeed, at the machine's cost
