#!/bin/sh
# Leaves a set-user-ID program in the working folder: outside it would run as the folder's owner, for anyone.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build leave <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int set(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && (info.st_mode & 06000) ? (printf("%s: %o\n", path, info.st_mode), 1) : 0;
}
int main(void) {
  umask(0);
  int fd = open("plain", O_CREAT | O_WRONLY, 0755);
  if (fd < 0) return 1;
  syscall(SYS_fchmod, fd, 06755);
  int found = set("plain");
  syscall(SYS_fchmodat, AT_FDCWD, "plain", 04755);
  found += set("plain");
  syscall(452, AT_FDCWD, "plain", 02755, 0); /* fchmodat2 */
  found += set("plain");
  syscall(SYS_openat, AT_FDCWD, "born", O_CREAT | O_WRONLY, 04755);
  found += set("born");
#ifdef SYS_creat
  syscall(SYS_chmod, "plain", 04755);
  found += set("plain");
  syscall(SYS_creat, "created", 04755);
  found += set("created");
  syscall(SYS_mknod, "made", S_IFREG | 04755, 0);
  found += set("made");
#endif
  return found ? 0 : 42;
}
C
mkdir outside && (cd outside && succeeds_outside ../leave)
mkdir inside && cd inside
for policy in compile shell; do
  code=0
  sandbox-run --policy "$policy" --ro "$PWD/..:/attack" -- /attack/leave >../inside.log 2>&1 || code=$?
  [ "$code" -eq 42 ] || { echo "policy $policy: exit $code, expected 42 (stopped)"; cat ../inside.log; exit 1; }
done
[ -z "$(find . -perm /6000)" ]
