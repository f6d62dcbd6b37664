#!/bin/sh
# lanectl: a device from a shell (docs/lanectl.md). Runs on the Node of the release that it belongs to, of the packages in a clone.
set -eu
HERE=$(dirname "$(dirname "$(readlink -f "$0")")")
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$HERE/node_modules/.cache/laneware}"
for NODE in "$HERE/bin/node" "$HERE/node_modules/.bin/node" "$(command -v node || true)"; do
  [ -x "$NODE" ] || continue
  # another's may be too old to read TypeScript, and would say so in words that help nobody
  VERSION=$("$NODE" --version)
  MAJOR=${VERSION#v}
  [ "${MAJOR%%.*}" -ge 24 ] 2>/dev/null && exec "$NODE" "$HERE/firmware/lanectl/main.ts" "$@"
done
echo "lanectl: there is no Node 24 here${VERSION:+ (found: $VERSION)}: run npm start once in $HERE, which brings it" >&2
exit 1
