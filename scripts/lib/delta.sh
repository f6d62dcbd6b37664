# shellcheck shell=bash
# What has changed from one release to another, instead of all of it. Sourced.
#
#   laneware-delta 1 <bytes of the manifest> <Ed25519 signature of the manifest, base64>\n
#   <`key=value` lines: name, from, version, arch, from-sha256 (of the tar of the release before), tar-sha256 (of the one to be),
#    pieces (bytes of each, in their order), payload-size, payload-sha256>
#   <payload: the pieces: `zstd --patch-from`, each of PIECE_BYTES of the new tar from as many of the old one, and so many
#    before and behind them>
#
# The old tar is not kept: the folder of the release that runs is packed again, and its digest shows whether that went well.
# Where a delta has any fault, the whole release is fetched instead.

readonly PIECE_BYTES=$((16 * 1024 * 1024))
# The most that is unpacked: 128 MiB, as `zstd` does unasked.
readonly ZSTD_WINDOW_LOG=27
# Node, three pieces of the old tar twice, the piece that is made, and room for the device to go on.
readonly PATCH_MEMORY_KIB=$((320 * 1024))
readonly PIECES_FORM='^[1-9][0-9]{0,7}( [1-9][0-9]{0,7}){0,63}$'

# delta_name FROM TO ARCH
delta_name() { printf 'laneware-%s-%s-%s.delta' "$1" "$2" "$3"; }

digest_of() { sha256sum <"$1" | cut -d ' ' -f 1; }

# lane_node: what applies deltas is the Node of the release that runs, for a system of the lane's need not have the program `zstd`.
lane_node() { "$LANEWARE/good/bin/node" --version >/dev/null 2>&1; }

memory_for_patch() {
  local available
  available=$(awk '/^MemAvailable/ { print $2 }' "$ROOT/proc/meminfo" 2>/dev/null) || return 0
  ((${available:-PATCH_MEMORY_KIB} >= PATCH_MEMORY_KIB))
}

# space_for_patch: both tars at a time, or the new one and what is in it.
space_for_patch() {
  (($(free_bytes "$UPDATE_DIR") >= 2 * TAR_SIZE + UNPACKED_SIZE + SPACE_MARGIN_BYTES))
}

# read_delta FOLDER: believes FOLDER/manifest of a delta, from FROM to the release that is judged; says why not.
read_delta() {
  read_head "$1/head" "$1" "$DELTA_KIND" || { echo 'it is no delta'; return 1; }
  signed_by_us "$1" || { echo 'it is signed with a key that this device does not know'; return 1; }
  local manifest=$1/manifest
  if [ "$(value_of name "$manifest")" != "$DELTA_KIND" ] || [ "$(value_of from "$manifest")" != "$FROM_VERSION" ] ||
    [ "$(value_of version "$manifest")" != "$VERSION" ] || [ "$(value_of tar-sha256 "$manifest")" != "$TAR_SHA256" ] ||
    [[ ! $(value_of payload-size "$manifest")/$(value_of payload-sha256 "$manifest") =~ $SIZE_AND_DIGEST ]] ||
    [[ ! $(value_of pieces "$manifest") =~ $PIECES_FORM ]]; then
    echo 'it is a delta of something else'
    return 1
  fi
}

# patch OLD DELTA OFFSET PIECES OUT: in memory that the kernel takes back from it before it does from the device.
patch() {
  (
    echo 1000 >/proc/self/oom_score_adj || true
    # shellcheck disable=SC2086 # each piece is a word
    exec "$LANEWARE/good/bin/node" "$HERE/lib/zstd.mjs" "$ZSTD_WINDOW_LOG" "$PIECE_BYTES" "$1" "$2" "$3" $4 >"$5"
  ) 2>/dev/null
}
