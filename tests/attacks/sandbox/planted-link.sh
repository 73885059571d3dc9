#!/bin/sh
# Plants a symbolic link where the record is about to be written, so that the caller overwrites a file of his own.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
mkdir work
echo precious >victim
cd work
sandbox-run --policy compile --report run.json -- sh -c 'ln -s ../victim run.json; ln -s ../victim run.json.part'
[ "$(cat ../victim)" = precious ]
[ ! -L run.json ]
[ "$(jq -r .kind run.json)" = run ]
