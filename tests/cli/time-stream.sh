#!/bin/sh
# Bad lines become error records, earlier verdicts pass untouched, and the rest of the stream is still judged.
set -eu
echo 'int x = nonsense;' >k.cc
task=$ASSAY_SRC/kernels/softmax_rows
{
  echo '{not json'
  echo '{"kind":"turn","v":1,"anything":true}'
  echo '{"kind":"candidate","v":1,"id":"a","task":"t","source":"gone.cc","status":"rejected","stage":"lint","reason":"r"}'
  echo '{"kind":"candidate","v":1,"id":"b","task":"no-such-task","source":"k.cc"}'
  echo '{"kind":"candidate","v":1,"id":"c","task":"'"$task"'","source":"gone.cc"}'
  echo '{"kind":"candidate","v":1,"id":"d","task":"'"$task"'","source":"k.cc"}'
} >in.jsonl
code=0
time-kernel <in.jsonl >out.jsonl 2>err || code=$?
[ "$code" = 2 ]
[ "$(jq -r '.status // "-"' out.jsonl | tr '\n' ' ')" = "error - rejected error error rejected " ]
[ "$(sed -n 2,3p in.jsonl)" = "$(sed -n 2,3p out.jsonl)" ]
sed -n 4p out.jsonl | jq -e '.message | contains("no-such-task")'
sed -n 5p out.jsonl | jq -e '.message | contains("gone.cc")'
sed -n 6p out.jsonl | jq -e '.id == "d" and .reason == "compile_error"'
