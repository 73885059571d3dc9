#!/bin/sh
# CPU time and peak memory of the whole tree are those that its programs used: over forks, threads and double forks.
set -eu
cc -O1 -pthread -x c -o use - <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double now(clockid_t clock) { struct timespec t; clock_gettime(clock, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
static void *burn(void *s) { while (now(CLOCK_THREAD_CPUTIME_ID) < *(double *)s) {} return 0; }
static void hold(size_t bytes) {
  char *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(p, 1, bytes);
  sleep(1);
}
int main(int argc, char **argv) {
  char how = argv[1][0];
  double share = 0.25;
  size_t part = 64 << 20;
  if (how == 't') { /* threads */
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, burn, &share);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  }
  if (how == 'f' || how == 'd') /* forks; double forks, whose parents have gone */
    for (int i = 0; i < 4; i++) if (fork() == 0) { if (how == 'd' && fork()) _exit(0); burn(&share); _exit(0); }
  if (how == 'm' || how == 'M') /* memory in four processes at once, or in one */
    for (int i = 0; i < (how == 'm' ? 4 : 1); i++) if (fork() == 0) { hold(how == 'm' ? part : 4 * part); _exit(0); }
  while (wait(0) > 0) {}
  if (how == 'd') sleep(2); /* until the orphans are done */
}
C
for how in t f d; do
  sandbox-run --policy compile --report "$how.json" -- ./use "$how"
  jq -e '.user_time_s + .system_time_s | . > 0.98 and . < 1.03' "$how.json" >/dev/null ||
    { echo "CPU time of $how, of 1 s:"; jq '.user_time_s, .system_time_s' "$how.json"; exit 1; }
done
for how in m M; do
  sandbox-run --policy compile --report "$how.json" -- ./use "$how"
  jq -e '.peak_memory_bytes / 268435456 | . > 0.98 and . < 1.05' "$how.json" >/dev/null ||
    { echo "peak memory of $how, of 268435456:"; jq '.peak_memory_bytes, .peak_memory_by' "$how.json"; exit 1; }
  jq -c '{peak_memory_bytes, peak_memory_by}' "$how.json"
done
