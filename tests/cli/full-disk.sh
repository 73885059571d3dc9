# A full disk (/dev/full) is an error with a clear line, exit 2.
set -eu
for tool in kernel-lint perturb-check time-kernel; do
  code=0
  echo '{"kind":"note"}' | "$tool" >/dev/full 2>err || code=$?
  [ "$code" -eq 2 ] || { echo "$tool: exit $code"; exit 1; }
  grep -q "^$tool: write standard output: No space left on device$" err || { cat err; exit 1; }
done
