# Bad lines become error records and one clear line each; the rest of the stream is still judged; exit 2.
set -eu
cp "$ASSAY_SRC"/kernels/softmax_rows/baseline.cc k.cc
task=$ASSAY_SRC/kernels/softmax_rows
for tool in kernel-lint perturb-check time-kernel; do
  {
    echo '{"kind":"candidate","v":1,'
    echo '{"kind":"note","v":1,"text":"passes through","n":9007199254740993}'
    echo '[1,2]'
    printf '{"kind":"candidate","v":1,"id":"gone","task":"%s","source":"gone.cc"}\n' "$task"
    printf '{"kind":"candidate","v":1,"id":"old","task":"%s","source":"k.cc","sha256":"%064d"}\n' "$task" 0
    printf '{"kind":"candidate","v":2,"id":"new","task":"%s","source":"k.cc"}\n' "$task"
    printf '{"kind":"candidate","v":1,"id":"done","task":"%s","source":"k.cc","status":"rejected","reason":"x"}\n' "$task"
    printf '{"kind":"candidate","v":1,"id":"good","task":"%s","source":"k.cc","mine":[1]}' "$task"
  } >in
  code=0
  "$tool" <in >out 2>err || code=$?
  [ "$code" -eq 2 ] || { echo "$tool: exit $code, not 2"; exit 1; }
  [ "$(wc -l <out)" -eq 8 ] || { echo "$tool: $(wc -l <out) records for 8 lines"; cat out; exit 1; }
  sed -n 2p out | grep -q '^{"kind":"note","v":1,"text":"passes through","n":9007199254740993}$'
  [ "$(jq -r '.id // "-"' out | tr '\n' ' ')" = "- - - gone old new done good " ]
  [ "$(jq -r '.status // "-"' out | tr '\n' ' ')" = "error - error error error error rejected ok " ] ||
    { echo "$tool:"; jq -c '[.id,.status,.message]' out; exit 1; }
  jq -es '.[7].mine == [1] and .[3].reason == "verifier_error"' out >/dev/null
  grep -q 'gone.cc: No such file or directory' err
  grep -q 'standard input:1' err
  [ "$(wc -l <err)" -eq 5 ] || { echo "$tool: one line for each bad record, not:"; cat err; exit 1; }
done
# A status that no stage gives is no verdict.
printf '{"kind":"candidate","v":1,"id":"odd","task":"%s","source":"k.cc","status":"fine"}\n' "$task" >in
code=0
kernel-lint <in >out 2>err || code=$?
[ "$code" -eq 2 ] && grep -q '^kernel-lint: standard input:1: read record: /status must be' err || { cat out err; exit 1; }
