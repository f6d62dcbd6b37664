#!/bin/sh
# lanectl: a device from a shell (docs/lanectl.md). Runs on the Node of the release that it belongs to, of the packages in a clone.
set -eu
HERE=$(readlink -f "$0")
HERE=${HERE%/*/*}
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$HERE/node_modules/.cache/laneware}"
# a release has the bundle, a clone the sources
MAIN=$HERE/bundle/lanectl.js
[ -e "$MAIN" ] || MAIN=$HERE/firmware/lanectl/main.ts
for NODE in "$HERE/bin/node" "$HERE/node_modules/.bin/node"; do
  [ ! -x "$NODE" ] || exec "$NODE" "$MAIN" "$@"
done
# the system's Node may be too old to read TypeScript, and its error would not say what to do
if NODE=$(command -v node); then
  VERSION=$("$NODE" --version)
  MAJOR=${VERSION#v}
  [ "${MAJOR%%.*}" -lt 24 ] 2>/dev/null || exec "$NODE" "$MAIN" "$@"
fi
echo "lanectl: there is no Node 24 here${VERSION:+ (found: $VERSION)}: run npm start once in $HERE, which brings it" >&2
exit 1
