#!/bin/sh
# A call that can't be done is answered with what would be right; the loop goes on, and no round is spent.
set -eu
. "$ASSAY_SRC/tests/cli/recorded.inc"
say run_verification '{}' make_coffee '{"sugar": 2}' write_kernel '{}' write_kernel '{"source": 7}' \
  write_kernel '{"source": ""}' write_kernel '{"source": "int x;", "path": "/etc/passwd"}' \
  write_kernel '{"source": "int x;\n"}' write_kernel '{"source": "int x;\n"}' run_verification '{"kernel": "kernel_v2"}' \
  run_verification '{"kernel": "../../etc/passwd"}' profile_tool '{"kernel": "kernel_v1"}' profile_tool '{}' \
  run_verification '{"kernel": "baseline"}'
serve talk
seed run
(recorded run) >/dev/null
expect 'call write_kernel first' "$(answer run 1)"
expect 'no tool .make_coffee.; the tools are write_kernel, run_verification, profile_tool, read_file' "$(answer run 2)"
expect "'source' is missing" "$(answer run 3)"
expect 'must be a string' "$(answer run 4)"
expect '1 to 1048576 bytes' "$(answer run 5)"
expect "unknown argument 'path'" "$(answer run 6)"
expect 'wrote kernel_v1' "$(answer run 7)"
expect 'kernel_v1 is exactly this source' "$(answer run 8)"
expect 'exactly this call 2 times' "$(answer run 8)"
expect 'the kernels are kernel_v1' "$(answer run 9)"
expect "no '../../etc/passwd'" "$(answer run 10)"
expect 'not verified yet' "$(answer run 11)"
expect 'profile of baseline' "$(answer run 12)"
expect 'name a kernel_vN' "$(answer run 13)"
[ "$(jq -s 'map(.kind) | tostring' run/ledger.jsonl)" = '"[\"stop\"]"' ]
[ "$(ls run/kernels)" = kernel_v1.cc ] && [ "$(stat -c %a run/kernels/kernel_v1.cc)" = 444 ]
