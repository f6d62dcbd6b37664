# shellcheck shell=bash
# What unpacks zstd: the Node of the release that runs, which each lane has, whatever its system brings; where none is
# installed yet, the program `zstd`. Sourced.

# The most that is unpacked: 128 MiB, as `zstd` does unasked.
readonly ZSTD_WINDOW_LOG=27

lane_node() { "$LANEWARE/good/bin/node" --version >/dev/null 2>&1; }

can_unzstd() { lane_node || command -v zstd >/dev/null; }

# unzstd: standard input to standard output
unzstd() {
  if lane_node; then
    "$LANEWARE/good/bin/node" "$HERE/lib/zstd.mjs" "$ZSTD_WINDOW_LOG"
  else
    zstd --decompress --stdout --quiet --long="$ZSTD_WINDOW_LOG"
  fi
}
