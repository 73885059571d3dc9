#!/bin/sh
# A policy with a mistake is refused in one line that names the file, the place and the remedy; the command never runs.
set -eu
cp "$ASSAY_SRC/policies/base.json" .
refused() { # FILTER MESSAGE
  jq "$1" "$ASSAY_SRC/policies/compile.json" >p.json
  code=0
  sandbox-run --policy p.json --report run.json -- touch ran 2>err || code=$?
  cat err
  [ "$code" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ]
  grep -q -F "$2" err
  [ ! -e ran ] && [ "$(jq -r .ended_by run.json)" = sandbox ]
}
refused '.limit = {}' '/: unknown key "limit"'
refused '.limits.wall = 1' '/limits: unknown key "wall"'
refused '.limits.wall_s = "1"' '/limits/wall_s must be a number'
refused '.mounts[0] |= del(.why)' '/mounts/0/why is missing'
refused '.mounts[0].why = ""' '/mounts/0/why is empty'
refused '.mounts[0].path = "relative"' '/mounts/0/path must be an absolute path'
refused '.mounts += [{path: "/no/such", why: "x"}]' 'mount /no/such: No such file or directory'
refused '.mounts += [{path: "/", why: "x"}]' 'mount /: would bring in everything'
refused '.system_calls[0].allow += ["opne"]' 'allow system call opne: is unknown'
refused '.system_calls[0].allow += ["clone:any"]' 'is no variant known here'
refused '.optional = [{protection: "seccomp", why: "x"}]' 'the others are never optional'
refused '.extends = "p.json"' 'goes too deep'
echo '{"description": "x", "description": "y"}' >p.json
sandbox-run --policy p.json -- true 2>err && exit 1
grep -q 'occurs twice' err
sandbox-run --policy no-such -- true 2>err && exit 1
grep -q 'no-such: is no policy here (known: base, compile' err
