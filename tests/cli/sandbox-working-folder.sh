#!/bin/sh
# A working folder that would open the whole system, or that is private in the sandbox, is refused.
set -eu
refused() {
  code=0
  (cd "$1" && exec sandbox-run --policy compile -- true) 2>err || code=$?
  cat err
  [ "$code" -eq 2 ]
  grep -q -F "$2" err
}
refused / 'would bring in everything'
refused /tmp 'is asked for twice'
