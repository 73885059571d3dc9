#!/bin/sh
# --audit-task: a sound task rejects every mutant and passes its own reference; a loose one is found out, exit 1.
set -eu
perturb-check --audit-task "$ASSAY_SRC/kernels/softmax_rows" >sound.jsonl
jq -es 'all(.sound) and any(.mutant == "zeros") and any(.mutant | endswith("ignored"))
  and (map(select(.mutant == "reference")) | length > 3 and all(.passed))' sound.jsonl
cp -r "$ASSAY_SRC/kernels/softmax_rows" loose
chmod -R u+w loose
jq '.tolerance.y |= map_values(.absolute = 1 | .relative_l2 = 10)' loose/task.json >t && mv t loose/task.json
code=0
perturb-check --audit-task loose >loose.jsonl || code=$?
[ "$code" -eq 1 ]
jq -es 'any(.sound | not)' loose.jsonl
