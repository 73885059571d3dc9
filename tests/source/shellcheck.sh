# Every script is POSIX sh, passes shellcheck, and (outside the tests) is under 80 lines.
set -eu
cd "$ASSAY_SRC"
scripts=$(grep -lE '^#!/bin/(ba)?sh' scripts/* .ci/run kernels/*/test_correctness tests/run $(find tests -name run) 2>/dev/null | sort -u)
shellcheck $scripts
shellcheck -s sh $(find tests -name '*.sh')
long=$(wc -l $(grep -lE '^#!/bin/(ba)?sh' scripts/*) | awk '$2 != "total" && $1 >= 80 {print $2 " has " $1 " lines"}')
[ -z "$long" ] || { echo "a script is under 80 lines: $long"; exit 1; }
