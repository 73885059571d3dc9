#!/bin/sh
# A compiler works in the sandbox, in the caller's folder; what it makes is his to use, and the record says so.
set -eu
echo 'extern "C" int f() { return 42; }' >k1.cc
sandbox-run --policy "$ASSAY_SRC/policies/compile.json" --report 3 -- g++ -O3 -shared -fPIC k1.cc -o k1.so 3>run.json
[ -s k1.so ] && [ -O k1.so ]
jq -e '.kind == "run" and .v == 1 and .ended_by == "exit" and .exit_code == 0 and .signal == null and
       .max_rss_bytes > 1000000 and .user_time_s + .system_time_s > 0 and .wall_time_s > 0 and
       (.protections | index("seccomp")) and (.policy_sha256 | length) == 64' run.json >/dev/null
