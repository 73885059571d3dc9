#!/bin/sh
# Sends what it learnt to a server on the host's loopback.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build listen <<'C'
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof a;
  int s = socket(AF_INET, SOCK_STREAM, 0);
  bind(s, (void *)&a, n);
  listen(s, 9);
  getsockname(s, (void *)&a, &n);
  printf("%d\n", ntohs(a.sin_port));
  fflush(stdout);
  sleep(60);
}
C
build connect <<'C'
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
int main(int n, char **v) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  a.sin_port = htons(atoi(v[1]));
  int s = socket(AF_INET, SOCK_STREAM, 0);
  return s >= 0 && connect(s, (void *)&a, sizeof a) == 0 ? 0 : 42;
}
C
./listen >port &
listener=$!
trap 'kill $listener' EXIT
tries=0
until [ -s port ] || [ $tries -eq 100 ]; do sleep 0.1; tries=$((tries + 1)); done
succeeds_outside ./connect "$(cat port)"
policies='compile run-cpp shell' stopped_inside /attack/connect "$(cat port)"
