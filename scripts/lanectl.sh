#!/bin/sh
# lanectl: a device from a shell (docs/lanectl.md). Runs on the Node of the release that it belongs to, of the packages in a clone.
set -eu
HERE=$(dirname "$(dirname "$(readlink -f "$0")")")
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$HERE/node_modules/.cache/laneware}"
for NODE in "$HERE/bin/node" "$HERE/node_modules/.bin/node" "$(command -v node)"; do
  [ -x "$NODE" ] && exec "$NODE" "$HERE/firmware/lanectl/main.ts" "$@"
done
echo 'lanectl: there is no Node here: run npm start once, which brings it' >&2
exit 1
