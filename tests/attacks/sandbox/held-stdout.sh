# A grandchild keeps stdout open, so that whoever reads it waits for ever.
# shellcheck source=tests/attacks/sandbox/common.inc
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
start=$(date +%s)
sandbox-run --policy compile --report report.json -- sh -c 'setsid sleep 100 & echo done' | grep -q done
sandbox-run --policy compile --capture -- sh -c 'setsid sleep 100 & echo done' >captured.json
[ $(($(date +%s) - start)) -lt 60 ]
[ "$(jq -r .ended_by report.json)" = exit ]
[ "$(jq -r .stdout captured.json)" = done ]
