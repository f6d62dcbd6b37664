#!/bin/sh
# chain.sh: the hub of a chain of stores (docs/chain.md). Runs on the Node of the clone that it belongs to.
set -eu
HERE=$(dirname "$(dirname "$(readlink -f "$0")")")
NODE=$HERE/node_modules/.bin/node
# The packages of the hub are not those of a lane: `npm start` leaves them out
if [ ! -x "$NODE" ] || [ ! -d "$HERE/node_modules/@nats-io/jwt" ]; then
  echo "chain: its packages are missing: run node scripts/setup.mjs once in $HERE, which brings them" >&2
  exit 1
fi
exec "$NODE" "$HERE/scripts/chain/main.ts" "$@"
