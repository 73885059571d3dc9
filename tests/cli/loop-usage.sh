#!/bin/sh
# Wrong usage of kernel-loop is one line on standard error and exit 2, and makes nothing.
set -eu
refused() {  # pattern, arguments…
  pattern=$1
  shift
  code=0
  kernel-loop "$@" >out 2>err || code=$?
  [ "$code" -eq 2 ] || { echo "exit $code: $*"; exit 1; }
  [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] && grep -q -e "$pattern" err || { echo "$*"; cat out err; exit 1; }
  [ ! -e run ] || { echo "made a run: $*"; exit 1; }
}
softmax=$ASSAY_SRC/kernels/softmax_rows
refused 'needed'
refused '\-\-run DIR' "$softmax"
refused 'unknown option' "$softmax" --run run --max-toolcalls 5
refused 'value is missing' "$softmax" --run
refused 'positive number' "$softmax" --run run --max-tokens many
refused 'positive number' "$softmax" --run run --max-tool-calls=0
refused 'en or zh' "$softmax" --run run --language fr
refused 'no task.json' nowhere --run run
refused 'one task' "$softmax" other --run run
refused 'not a run directory' --resume nowhere
refused 'from the run' --resume nowhere --model other
mkdir broken
echo '{' >broken/task.json
refused 'broken/task.json' broken --run run
kernel-loop --help | grep -q '^example:'
kernel-loop --version | grep -q '^kernel-loop (Assay)'
