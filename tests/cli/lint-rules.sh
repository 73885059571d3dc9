# --rules lists every rule; each has a folder of fixtures and a place in the man page.
set -eu
kernel-lint --rules >rules
[ "$(wc -l <rules)" -ge 8 ]
jq -es 'all(.kind == "rule" and (.languages | length) > 0 and (.summary | length) > 0)' rules
for rule in $(jq -r .rule rules); do
  [ -d "$ASSAY_SRC/tests/lint/$rule" ] || { echo "no fixtures: $rule"; exit 1; }
  grep -q "^.It Cm $rule\$" "$ASSAY_SRC/man/kernel-lint.1" || { echo "not in the man page: $rule"; exit 1; }
done
kernel-lint --schema | jq -e '.anyOf | length == 2'
