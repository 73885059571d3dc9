# Files as arguments give a record each; the human format shows the line and a caret; an unreadable file is exit 2.
set -eu
printf 'int f() {\n  return fork();\n}\n' >k.cc
printf 'x = 1\n' >k.py
code=0
kernel-lint k.cc k.py >out || code=$?
[ "$code" -eq 1 ]
jq -es '.[0].kind == "lint" and .[0].source == "k.cc" and .[0].status == "rejected" and .[0].reason == "calls_out"' out
jq -es '.[1].status == "ok" and (.[1].sha256 | length) == 64' out
kernel-lint --format human k.cc >shown || code=$?
cat >want <<'X'
k.cc:2:10: error: a kernel computes and returns, it does not call fork [calls_out]
    return fork();
           ^~~~
X
diff want shown
code=0
kernel-lint nowhere.cc >out 2>err || code=$?
[ "$code" -eq 2 ]
jq -e '.status == "error" and .source == "nowhere.cc"' out
grep -q 'nowhere.cc' err
code=0
kernel-lint --format xml k.cc 2>err || code=$?
[ "$code" -eq 2 ]
