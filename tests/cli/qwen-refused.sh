# A refusal that asking again cannot change is not retried, and each kind has its own reason.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step 401
fails auth
asked 1
step 403
fails auth
asked 1
step arrears
fails quota
asked 1
step context
fails context_exceeded
asked 1
step inspection
fails inspection
asked 1
step error-finish
fails inspection
asked 1
step filtered
fails inspection
asked 1
step 400
fails bad_request
asked 1
step 404
fails bad_request
asked 1
step redirect
fails protocol
asked 1
