#!/bin/sh
# A policy of one's own, as in the man page: extend an installed one by name, add a mount, lower a limit.
set -eu
mkdir data work
echo text >data/file
jq -n --arg data "$PWD/data" '{description: "Tests.", extends: "shell", limits: {wall_s: 60},
  mounts: [{path: "/srv/data", from: $data, why: "the texts to be read"}]}' >own.json
cd work
[ "$(sandbox-run --policy ../own.json -- cat /srv/data/file)" = text ]
