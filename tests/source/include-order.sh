# Rooms include one way only (the table), commands include no system calls, and close() stands in one file.
set -eu
cd "$ASSAY_SRC"

may_include() {
  case $1 in
    base) echo base ;;
    record) echo base record ;;
    tool) echo base record tool ;;
    syntax) echo base syntax ;;
    lint) echo base record syntax lint ;;
    sandbox | task | model) echo "base record $1" ;;
    gpu) echo base gpu ;;
    backend) echo base record task gpu backend ;;
    perturb | timing) echo "base record task gpu backend $1" ;;
    cmd) echo base record tool sandbox lint perturb timing model ;;
    *) echo "no rule for room $1: add it to the table" >&2; return 1 ;;
  esac
}

status=0
find lib cmd -name '*.cc' -o -name '*.h' -o -name '*.cu' >"$OLDPWD/files"
while IFS= read -r file; do
  case $file in cmd/*) room=cmd ;; *) room=${file#lib/}; room=${room%%/*} ;; esac
  allowed=" $(may_include "$room") "
  for target in $(sed -n 's|^#include "\([a-z_]*\)/.*|\1|p' "$file"); do
    case $allowed in
      *" $target "*) ;;
      *) echo "$file: room $room may not include $target (allowed:$allowed)"; status=1 ;;
    esac
  done
done <"$OLDPWD/files"

# The worker is alone in the candidate's process and links nothing of ours.
closers=$(grep '\.cc$' "$OLDPWD/files" | grep -v -e '^lib/base/fd.cc$' -e '^lib/backend/worker.cc$' |
  xargs grep -lE '(^|[^a-zA-Z_.>])close\(' || true)
[ -z "$closers" ] || { echo "close( belongs in lib/base/fd.cc; found in: $closers"; status=1; }

xargs wc -l <"$OLDPWD/files" | awk '$2 != "total" && $1 > ($2 ~ /^cmd/ ? 120 : 500) {
  print $2 " has " $1 " lines: a command is at most 120, a file of a room 500"; bad = 1 } END { exit bad }' || status=1
if grep -rn 'using namespace' --include='*.h' lib; then echo "no using namespace in a header"; status=1; fi
exit $status
