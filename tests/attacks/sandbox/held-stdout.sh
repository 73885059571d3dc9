#!/bin/sh
# A grandchild keeps stdout open, so that whoever reads it waits for ever.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
start=$(date +%s)
sandbox-run --policy compile --report report.json -- sh -c 'setsid sleep 100 & echo over' | grep -q over
sandbox-run --policy compile --capture -- sh -c 'setsid sleep 100 & echo over' >captured.json
[ $(($(date +%s) - start)) -lt 60 ]
[ "$(jq -r .ended_by report.json)" = exit ]
[ "$(jq -r .stdout captured.json)" = over ]
