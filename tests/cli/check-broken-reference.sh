#!/bin/sh
# A reference that fails is the task's fault: an error, never a verdict on the candidate.
set -eu
cp "$ASSAY_SRC/kernels/softmax_rows/baseline.cc" k.cc
judge() {
  code=0
  printf '{"kind":"candidate","v":1,"id":"k","task":"task","source":"k.cc"}\n' | perturb-check >out.json 2>err || code=$?
  [ "$code" -eq 2 ]
  jq -e '.status == "error" and .check == null and (.message | test("'"$1"'"))' out.json || { cat out.json; exit 1; }
}
while read -r says body; do
  rm -rf task && cp -r "$ASSAY_SRC/kernels/softmax_rows" task && chmod -R u+w task
  printf '#include <dlpack/dlpack.h>\n#include <cstdlib>\n#include <cstring>\n%s%s\n' \
    'extern "C" void reference(const DLTensor* const* in, DLTensor* const* out) ' "$body" >task/reference.cc
  judge "$says"
done <<'END'
SIGABRT { abort(); }
unwritten { static_cast<double*>(out[0]->data)[0] = in[0]->ndim; }
outside { static_cast<double*>(out[0]->data)[-1] = in[0]->ndim; }
compile { no_such_thing(in, out); }
END
