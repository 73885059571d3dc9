#!/bin/sh
# --capture puts both streams into the record, exactly, whatever bytes they hold.
set -eu
sandbox-run --policy compile --capture -- sh -c 'echo out; echo err >&2; exit 3' >run.json || [ $? -eq 3 ]
[ "$(jq -c '[.stdout, .stderr, .stdout_truncated, .exit_code]' run.json)" = '["out\n","err\n",false,3]' ]
[ "$(jq 'has("stdout_base64")' run.json)" = false ]
sandbox-run --policy compile --capture --report run.json -- printf '\377a\0b\n'
[ "$(jq -r .stdout_base64 run.json | base64 -d | od -An -tx1 | tr -d ' ')" = ff6100620a ]
