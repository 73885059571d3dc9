#!/bin/sh
# --help shows every option of the man page and an example; a mistake in the options is one line and exit 2.
set -eu
sandbox-run --help >help
for option in policy report capture ro rw keep-fd setenv wall; do grep -q -e "--$option" help; done
grep -q '^Example' help
code=0
sandbox-run --no-such-option 2>err || code=$?
[ "$code" -eq 2 ]
code=0
sandbox-run --wall 0 -- true 2>err || code=$?
[ "$code" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ]
