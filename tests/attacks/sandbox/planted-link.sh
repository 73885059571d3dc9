# Plants a symbolic link where the record is about to be written, so that the caller overwrites a file of his own.
# shellcheck source=tests/attacks/sandbox/common.inc
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
mkdir work
echo precious >victim
cd work
sandbox-run --policy compile --report run.json -- sh -c 'ln -s ../victim run.json; ln -s ../victim run.json.part'
[ "$(cat ../victim)" = precious ]
[ ! -L run.json ]
[ "$(jq -r .kind run.json)" = run ]
