#!/bin/sh
# CPU time and memory are those of the whole tree, and exact: a child's and a daemon's as well as the command's own.
set -eu
cat >burn.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void burn(void) {
  volatile char *p = malloc(100 << 20);
  for (int i = 0; i < 100 << 20; i += 4096) p[i] = 1;
  while (clock() < CLOCKS_PER_SEC * 3 / 10);
}
int main(void) {
  if (fork() == 0) burn(), _exit(0);  // waited for
  wait(0);
  int ready[2];
  pipe(ready);
  if (fork() == 0) {  // left behind
    setsid();
    if (fork() == 0) burn(), write(ready[1], "x", 1), sleep(100);
    _exit(0);
  }
  char byte;
  read(ready[0], &byte, 1);
  burn();
}
C
cc -w burn.c -o burn
sandbox-run --policy compile --report run.json -- ./burn
jq -e '(.user_time_s + .system_time_s) as $cpu | $cpu > 0.85 and $cpu < 2 and
       .max_rss_bytes > 100e6 and .max_rss_bytes < 130e6' run.json >/dev/null || { cat run.json; exit 1; }
