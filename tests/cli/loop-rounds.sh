#!/bin/sh
# A whole run with a recorded model: an honest kernel becomes the best, the others end at their walls and roll back to it.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
serve "$ASSAY_SRC/tests/cli/recorded/softmax_rows"
(recorded run --progress --language=zh) >table 2>progress || { cat table progress; exit 1; }
jq -c 'select(.kind == "evaluation") | [.round, .kernel, .status, .stage, .reason]' run/ledger.jsonl >rounds
cat >expected <<'END'
[1,"kernel_v1","ok","time",null]
[2,"kernel_v2","rejected","check","wrong_output"]
[3,"kernel_v3","rejected","lint","carries_results"]
[4,"kernel_v4","rejected","check","compile_error"]
END
diff expected rounds

# What the model is told: the verdict, then what the tools wrote; a kernel judged before is not judged again.
expect '^Round 1: kernel_v1 is ' "$(answer run 4)"
expect '"speedup_geomean"' "$(answer run 4)"
expect 'REJECTED at check: wrong_output' "$(answer run 6)"
expect 'Rolled back' "$(answer run 6)"
expect 'lanes' "$(answer run 10)"  # the compiler's words
expect 'judged in round 1 already' "$(answer run 12)"
expect 'phase 1' "$(cat progress)"
expect 'carries_results' "$(cat progress)"

kernel-loop --summary run >again
cmp table again
expect '^ended: model_stopped, 4 rounds, 12 tool calls' "$(cat table)"
kernel-loop --plot run >picture.svg
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' picture.svg
[ "$(find run/spool run/lock run/kernels -name '*.cc' | wc -l)" -eq 4 ]
