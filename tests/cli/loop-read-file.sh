#!/bin/sh
# shellcheck disable=SC2016 # these paths must not expand
# read_file gives the task's public files and the run's kernels, and nothing else, whatever the path says.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
cp -r "$task" copy
task=$PWD/copy
echo secret >outside
ln -s ../outside copy/leak.h
ln -s reference.cc copy/other.h
mkdir copy/deep.h
say read_file '{"path": "task.json"}' read_file '{"path": "softmax_rows.h"}' read_file '{"path": "baseline.cc"}' \
  write_kernel '{"source": "int here;\n"}' read_file '{"path": "kernels/kernel_v1.cc"}' \
  read_file '{"path": "reference.cc"}' read_file '{"path": "leak.h"}' read_file '{"path": "other.h"}' \
  read_file '{"path": "../outside"}' read_file "{\"path\": \"$PWD/outside\"}" read_file '{"path": "kernels/../transcript.jsonl"}' \
  read_file '{"path": "kernels/../../outside"}' read_file '{"path": "deep.h"}' read_file '{"path": "-v"}' \
  read_file '{"path": "kernels/"}' read_file '{"path": "$(touch hit)`touch hit`; touch hit\n"}' read_file '{"path": ""}'
serve talk
seed run
(recorded run) >/dev/null
expect 'relative_l2' "$(answer run 1)"
expect 'struct Problem' "$(answer run 2)"
expect 'three passes' "$(answer run 3)"
expect '^int here' "$(answer run 5)"
for n in 6 7 8 9 10 11 12 13 14 15 16 17; do
  expect '^error: read_file: ' "$(answer run $n)"
  case $(answer run $n) in *stdout*) echo "answer $n gives something"; exit 1 ;; esac
done
[ ! -e hit ] && [ ! -e run/hit ]
