#!/bin/sh
# No input is shown twice, with relations or without: a kernel that dies of a repetition lives.
set -eu
{
  echo '#include <cstdlib>'
  echo '#include <set>'
  echo '#include <string>'
  sed 's/extern "C" void softmax_rows/static void honest/' "$ASSAY_SRC/kernels/softmax_rows/baseline.cc"
  echo 'extern "C" void softmax_rows(const DLTensor* const* inputs, DLTensor* const* outputs) {'
  echo '  static std::set<std::string> seen;'
  echo '  const Problem p(inputs, outputs);'
  echo '  if (!seen.insert(std::string(static_cast<const char*>(p.x), 4096)).second) std::abort();'
  echo '  honest(inputs, outputs);'
  echo '}'
} >k.cc
cp -r "$ASSAY_SRC/kernels/softmax_rows" related
cp -r related unrelated
jq '.relations = []' related/task.json >unrelated/task.json
for task in related unrelated; do
  printf '{"kind":"candidate","v":1,"id":"k","task":"%s","source":"k.cc"}\n' "$task" |
    time-kernel --budget 60 --pairs 9 >out.json || { cat out.json; exit 1; }
  jq -e '.status == "ok" and .timing.checked_calls > 20' out.json
done
