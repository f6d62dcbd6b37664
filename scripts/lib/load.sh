# shellcheck shell=bash
# Loads parts of this folder in their order: . "$HERE/lib/load.sh" say paths
for part; do . "$HERE/lib/$part.sh"; done
