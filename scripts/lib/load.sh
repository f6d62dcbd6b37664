# shellcheck shell=bash
# Loads parts of this folder in their order: . "$HERE/../lib/load.sh" say paths
for part; do . "${BASH_SOURCE[0]%/*}/$part.sh"; done
