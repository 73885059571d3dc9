# Every program and porcelain command has a man page, and every page is clean.
set -eu
cd "$ASSAY_SRC"
mandoc -T lint -W warning man/*.[1-9]
for program in "$ASSAY_BUILD"/bin/*; do
  name=$(basename "$program")
  [ -e "man/$name.1" ] || { echo "$name has no man page"; exit 1; }
  # Every long option of the help text is in the page, and the other way round.
  "$program" --help | grep -oE -- '--[a-z][a-z-]+' | sort -u >help
  sed 's/\\-/-/g; s/\\&//g; s/Fl Fl /--/g; s/Fl -/--/g' "man/$name.1" | grep -oE -- '--[a-z][a-z-]+' | sort -u >page
  missing=$(comm -23 help page)
  [ -z "$missing" ] || { echo "man/$name.1 lacks: $missing"; rm -f help page; exit 1; }
done
rm -f help page
for page in kernel-loop.1 kernel-records.5 kernel-task.5 kernel-policy.5 assay.7; do
  [ -e "man/$page" ] || { echo "man/$page is missing"; exit 1; }
done
