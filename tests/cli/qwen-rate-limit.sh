# Retry-After is obeyed; without one a rate limit waits a minute; a wait past the deadline is not begun.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
for name in 429-soon quota; do
  step "$name-then-ok"
  whole
  is '.attempts == 2 and .time_s >= 1 and .time_s < 30' true
done
step 429 --deadline 20
fails rate_limited
asked 1
is '.time_s < 20' true
step 429-late
fails rate_limited
asked 1
step error-event --deadline 20
fails rate_limited
