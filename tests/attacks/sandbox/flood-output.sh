#!/bin/sh
# Floods stdout until whoever keeps it runs out of memory.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
code=0
sandbox-run --policy compile --capture --report run.json -- cat /dev/zero || code=$?
[ "$code" -eq 124 ]
jq -e '.ended_by == "output" and .stdout_truncated and (.stdout | length) == 1048576' run.json >/dev/null
