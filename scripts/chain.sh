#!/bin/sh
# chain.sh: the hub of a chain of stores (docs/chain.md). Runs on the Node of the clone that it belongs to.
set -eu
HERE=$(dirname "$(dirname "$(readlink -f "$0")")")
NODE=$HERE/node_modules/.bin/node
[ -x "$NODE" ] || { echo "chain: there is no Node here: run npm start once in $HERE, which brings it" >&2; exit 1; }
exec "$NODE" "$HERE/scripts/chain/main.ts" "$@"
