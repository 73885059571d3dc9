#!/bin/sh
# A report to a device or a FIFO goes into it; the device stays what it was.
set -eu
mkfifo fifo
cat fifo >got &
sandbox-run --policy compile --report fifo -- true
wait
jq -e '.ended_by == "exit"' got >/dev/null
[ -p fifo ]
if [ "$(id -u)" -eq 0 ]; then
  mknod null c 1 3
  sandbox-run --policy compile --report null -- true
  [ -c null ]
fi
mkdir folder
ln -s got link
for bad in folder link; do
  code=0
  sandbox-run --policy compile --report "$bad" -- true 2>err || code=$?
  [ "$code" -eq 2 ] && grep -q "report to $bad" err
done
