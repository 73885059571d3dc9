# A broken task is named with file, place and remedy; it is never a verdict on the candidate.
set -eu
cp "$ASSAY_SRC"/kernels/softmax_rows/baseline.cc k.cc
good=$ASSAY_SRC/kernels/softmax_rows/task.json
try() {  # name, jq program, text the message must hold
  mkdir "$1"
  cp "$ASSAY_SRC"/kernels/softmax_rows/*.cc "$ASSAY_SRC"/kernels/softmax_rows/*.h "$1"
  jq "$2" "$good" >"$1/task.json"
  for tool in perturb-check time-kernel; do
    code=0
    printf '{"kind":"candidate","v":1,"id":"k","task":"%s","source":"k.cc"}\n' "$1" | "$tool" >out 2>err || code=$?
    [ "$code" -eq 2 ] && [ "$(jq -r .status out)" = error ] || { echo "$tool $1: exit $code"; cat out err; exit 1; }
    grep -qF -- "$3" err || { echo "$tool $1: message lacks '$3':"; cat err; exit 1; }
    grep -q "$1/task.json" err || { echo "$tool $1: message does not name the file:"; cat err; exit 1; }
  done
}
try unknown-key '.toleranse = 1' 'toleranse'
try no-check 'del(.reference)' 'reference'
try no-tolerance 'del(.tolerance)' 'tolerance'
try no-metric 'del(.workloads)' 'workloads'
try bad-type '.entry = 7' '/entry must be a string'
try no-backend '.languages = ["rust"]' 'for which there is no backend (known: cpp)'
try no-library '.libraries = ["blas"]' 'which no backend links (known: openmp)'
try bad-axis '.workloads[0].axes.rows = "many"' 'workloads'
code=0
printf '{"kind":"candidate","v":1,"id":"k","task":"no-such-task","source":"k.cc"}\n' | perturb-check >out 2>err || code=$?
[ "$code" -eq 2 ] && grep -q no-such-task err
