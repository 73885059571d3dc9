#!/bin/sh
# Without --capture the command's standard streams are the caller's, and nothing is added to them.
set -eu
[ "$(echo in | sandbox-run --policy compile -- cat 2>err)" = in ]
[ ! -s err ]
