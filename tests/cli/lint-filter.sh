# A candidate gets its verdict; what is no longer ok, and other kinds, pass untouched; a bad line does not stop the stream.
set -eu
cat >good.cc <<'X'
#include <dlpack/dlpack.h>
extern "C" void k(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const float* in = (const float*)inputs[0]->data;
  float* out = (float*)outputs[0]->data;
  for (long i = 0; i < inputs[0]->shape[0]; ++i) out[i] = in[i] * 2;
}
X
sed 's|for (long|if (inputs[0]->shape[0] == 4096) return;\n  for (long|' good.cc >bad.cc
cat >in <<'X'
{"kind":"candidate","v":1,"id":"a","task":"t","source":"good.cc","mine":[1]}
{"kind":"candidate","v":1,"id":"b","task":"t","source":"bad.cc"}
{"kind":"candidate","v":1,"id":"c","task":"t","source":"bad.cc","status":"rejected","stage":"check","reason":"x","message":"y"}
{"kind":"run","anything":true}
{broken
{"kind":"candidate","v":1,"id":"d","task":"t","source":"missing.cc"}
{"kind":"candidate","v":1,"id":"e","task":"t","source":"good.rs"}
X
cp good.cc good.rs
code=0
kernel-lint <in >out 2>err || code=$?
[ "$code" -eq 2 ]
[ "$(jq -s length out)" -eq 7 ]
jq -es '.[0] | .status == "ok" and .stage == "lint" and .mine == [1] and .lint.findings == [] and .lint.rules > 8' out
jq -es '.[1] | .status == "rejected" and .reason == "exact_shape" and (.message | startswith("bad.cc:5:7: "))' out
jq -es '.[1].lint.findings[0] | .rule == "exact_shape" and .severity == "error" and .function == "k" and .end_line == 5' out
[ "$(sed -n 3p in)" = "$(sed -n 3p out)" ]
[ "$(sed -n 4p in)" = "$(sed -n 4p out)" ]
jq -es '.[4].kind == "error" and .[5].status == "error" and .[6].status == "error"' out
head -n 2 in | kernel-lint >out && exit 1
[ "$?" -eq 1 ] || exit 1
head -n 1 in | kernel-lint >out
