# shellcheck shell=bash
# What applies deltas: the Node of the release that runs, for a system of the lane's need not have the program `zstd`. Sourced.

# The most that is unpacked: 128 MiB, as `zstd` does unasked.
readonly ZSTD_WINDOW_LOG=27

lane_node() { "$LANEWARE/good/bin/node" --version >/dev/null 2>&1; }
