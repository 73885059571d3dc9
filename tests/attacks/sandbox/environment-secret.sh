#!/bin/sh
# Reads an API key from the environment.
set -eu
# shellcheck disable=SC1091 # common.inc is checked by itself
. "$ASSAY_SRC/tests/attacks/sandbox/common.inc"
export DASHSCOPE_API_KEY=secret
# shellcheck disable=SC2016 # expanded by the shell inside
set -- sh -c '[ -n "${DASHSCOPE_API_KEY:-}" ] || exit 42; exit 0'
succeeds_outside "$@"
policies='compile run-cpp shell' stopped_inside "$@"
