#!/bin/sh
# In a chroot, where the kernel makes no sandbox, the error says so and names the way out.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "needs root, to chroot"; exit 77; }
PATH=$PATH:/usr/sbin:/sbin
mkdir root
# In a mount namespace of its own, so that nothing stays mounted.
# shellcheck disable=SC2016 # expanded by the shell inside
unshare -m sh -eu -c '
  for d in usr bin lib lib64 dev proc; do
    if [ -L "/$d" ]; then cp -a "/$d" root/; elif [ -e "/$d" ]; then mkdir "root/$d"; mount --bind "/$d" "root/$d"; fi
  done
  mkdir root/build root/policies
  mount --bind "$(dirname "$(command -v sandbox-run)")/.." root/build
  mount --bind "$ASSAY_SRC/policies" root/policies
  code=0
  chroot root /build/bin/sandbox-run --policy run-cpp -- echo ran >out 2>err || code=$?
  [ "$code" -eq 2 ]'
[ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
grep -q 'this is a chroot' err
