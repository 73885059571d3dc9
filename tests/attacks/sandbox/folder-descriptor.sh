#!/bin/sh
# A folder as an inherited descriptor leads up, by "..", to the root outside: such a descriptor is refused.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
build climb <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int up = openat(atoi(argv[1]), "../../../../../../../../..", O_RDONLY);
  return up >= 0 && openat(up, argv[2] + 1, O_RDONLY) >= 0 ? 0 : 42;
}
C
echo secret >secret
secret=$PWD/secret
./climb 0 "$secret" <. || { echo "the attack does not work outside"; exit 1; }
for policy in compile run-cpp shell; do
  for number in 0 1 2; do
    code=0
    # shellcheck disable=SC2094 # the folder is read only
    eval "sandbox-run --policy $policy --ro '$PWD:/attack' -- /attack/climb $number '$secret' $number<." 2>err || code=$?
    [ "$code" -eq 2 ] || { echo "policy $policy, descriptor $number: exit $code, expected 2"; exit 1; }
  done
  code=0
  sandbox-run --policy "$policy" --keep-fd 7 --ro "$PWD:/attack" -- /attack/climb 7 "$secret" 7<. 2>err || code=$?
  [ "$code" -eq 2 ] && grep -q 'descriptor 7.*folder' err || { echo "policy $policy, kept: exit $code"; cat err; exit 1; }
done
