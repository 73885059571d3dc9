# Silence, comments without events, and a drip that never ends each meet their own limit.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
serve_faults
step silent --retries 0 --first-event-timeout 0.5
fails timeout
is '.message' '"no event came within 0.5 s"'
step idle --retries 0 --idle-timeout 0.5
fails timeout
is '.message' '"no event came for 0.5 s"'
is '.time_s < 20' true
step drip --deadline 1.5
fails timeout
is '.message' '"the deadline of 1.5 s passed"'
step slow --idle-timeout 0.5 # all at once, late: the limit between events does not count yet
whole
step endless --retries 0 --deadline 300
fails protocol
