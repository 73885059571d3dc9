#!/bin/sh
# The command's exit status comes through: its code, 128 + signal, 124 for a limit, 2 when it could not be run.
set -eu
expect() { # CODE ENDED_BY COMMAND...
  code=$1 ended_by=$2 got=0
  shift 2
  sandbox-run --policy compile --report run.json --wall 0.5 -- "$@" 2>err || got=$?
  cat run.json
  [ "$got" -eq "$code" ] && [ "$(jq -r .ended_by run.json)" = "$ended_by" ]
}
expect 0 exit true
expect 7 exit sh -c 'exit 7'
expect 2 exit sh -c 'exit 2'
# shellcheck disable=SC2016 # expanded by the shell inside
expect 139 signal sh -c 'kill -SEGV $$'
[ "$(jq -c '[.signal, .exit_code]' run.json)" = '[11,null]' ]
expect 124 wall sleep 100
grep -q 'passed its limit' err
expect 2 sandbox no-such-command
grep -q '^sandbox-run: run no-such-command: No such file or directory' err
