# A type's name at namespace scope belongs to one room: the linker would merge two silently, in a program that has both.
set -eu
cd "$ASSAY_SRC"
grep -lE '^namespace assay \{' lib/*/*.h | xargs grep -hoE '^(struct|class|enum class) [A-Za-z]+( :|  *\{)' |
  awk '{ sub(/:|\{/, ""); name = $NF; if (seen[name]++) { print name " is defined in two headers"; bad = 1 } } END { exit bad }'
