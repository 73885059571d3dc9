#!/bin/sh
# A worker under run-cpp: OpenMP, a library loaded at run time, shared memory and credentials over a socket.
set -eu
cat >kernel.cc <<'C'
extern "C" int sum() {
  int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(4)
  for (int i = 0; i < 1000; ++i) s += i;
  return s;
}
C
cat >worker.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int n, char **v) {
  struct ucred me = {getpid(), getuid(), getgid()};
  char control[CMSG_SPACE(sizeof me)] = {0}, byte = 'x';
  struct iovec iov = {&byte, 1};
  struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *h = CMSG_FIRSTHDR(&m);
  h->cmsg_level = SOL_SOCKET, h->cmsg_type = SCM_CREDENTIALS, h->cmsg_len = CMSG_LEN(sizeof me);
  memcpy(CMSG_DATA(h), &me, sizeof me);
  if (sendmsg(3, &m, 0) != 1) return 10;
  m.msg_controllen = sizeof control;
  if (recvmsg(3, &m, 0) != 1) return 11;
  int fd = *(int *)CMSG_DATA(CMSG_FIRSTHDR(&m));
  int *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  void *kernel = dlopen(v[1], RTLD_NOW);
  if (shared == MAP_FAILED || !kernel) return 12;
  *shared = ((int (*)(void))dlsym(kernel, "sum"))();
  return 0;
}
C
cat >verifier.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int n, char **v) {
  int ends[2], on = 1, fd = memfd_create("arena", 0), status;
  ftruncate(fd, 4096);
  socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
  setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  if (fork() == 0) dup2(ends[1], 3) == ends[1] ? 0 : execvp(v[1], v + 1), _exit(99);
  char control[200] = {0}, byte = 0;
  struct iovec iov = {&byte, 1};
  struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  if (recvmsg(ends[0], &m, 0) != 1) return 20;
  struct ucred *worker = (void *)CMSG_DATA(CMSG_FIRSTHDR(&m));
  if (kill(worker->pid, 0) != 0 || worker->pid < 10 || worker->uid == 0) return 21;
  struct cmsghdr *h = CMSG_FIRSTHDR(&m);
  h->cmsg_level = SOL_SOCKET, h->cmsg_type = SCM_RIGHTS, h->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(h), &fd, sizeof fd);
  m.msg_controllen = CMSG_SPACE(sizeof fd);
  if (sendmsg(ends[0], &m, 0) != 1) return 22;
  wait(&status);
  int *shared = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0);
  printf("%d %d\n", WEXITSTATUS(status), *shared);
}
C
g++ -O2 -fopenmp -shared -fPIC kernel.cc -o kernel.so
cc -w worker.c -o worker
cc -w verifier.c -o verifier
got=$(./verifier sandbox-run --policy run-cpp --keep-fd 3 --ro kernel.so:/kernel.so --ro worker:/worker \
  --report run.json -- /worker /kernel.so)
[ "$got" = '0 499500' ]
