# shellcheck shell=bash
# Which bytes of a release are fetched. Sourced.
#
#   delta   laneware-OLD-NEW-ARCH.delta beside the release: what has changed since the one that runs (delta.sh)
#   whole   laneware-ARCH.release
#
# The first that is there and is what was signed. Where the delta is not, nothing is lost but time: what is unpacked has in each
# case the digest that the manifest of the release names.

readonly TOO_LONG=90 # no exit code of curl

size_of() { stat -c %s "$1" 2>/dev/null || echo 0; }

# fetch_part SOURCE PART BYTES: all of it, from where the part that is here ends.
fetch_part() {
  local rc=0
  ! is_longer "$2" "$3" || rm -f -- "$2"
  if [ "$(size_of "$2")" -eq "$3" ]; then return; fi
  unlocked fetch_whole "$1" "$2" "$3" || rc=$?
  ! is_longer "$2" "$3" || rc=$TOO_LONG
  return "$rc"
}

# download: sets PART. What ran when it began runs still, or the update ends.
download() {
  local folder=$UPDATE_DIR/download now
  mkdir -p "$folder"
  exec 8>>"$RUN_DIR/download"
  flock 8
  # of releases that are no longer offered, and of deltas that were cut short
  find "$folder" -mindepth 1 -not -name "$PAYLOAD_SHA256" -not -name "${TAR_SHA256:-$PAYLOAD_SHA256}.delta" -delete
  by_delta "$folder" || by_whole "$folder"
  exec 8<&-
  now=$(linked good)
  [ "$now" = "$STATE_FROM" ] ||
    fail "$EXIT_NOT_NOW" "$now runs by now, no longer $STATE_FROM: put off, and the download is kept"
}

# by_delta FOLDER: there is none, which is the usual case, or one that is made into the tar of the release.
by_delta() {
  local FROM_VERSION why address
  FROM_VERSION=$(linked good)
  if [ -z "$TAR_SHA256" ] || [ -z "$FROM_VERSION" ] || ! lane_node; then return 1; fi
  address=$(beside "$SOURCE" "$(delta_name "$FROM_VERSION" "$VERSION" "$ARCH")")
  rm -rf -- "$HEAD_DIR/delta" && mkdir "$HEAD_DIR/delta" || return
  fetch_head "$address" "$HEAD_DIR/delta/head" || return
  # in a process of its own: what it reads of a delta is none of the release
  why=$(take_delta "$address" "$1" 2>&1) || {
    warn "the delta from $FROM_VERSION is left, and the whole release is fetched: ${why:-it cannot be used}"
    rm -f -- "$1/old" "$1/tar"
    return 1
  }
  PART=$1/tar PACKING=tar PAYLOAD_OFFSET=0 PAYLOAD_SIZE=$TAR_SIZE PAYLOAD_SHA256=$TAR_SHA256
  say "  only what has changed since $FROM_VERSION"
}

# take_delta ADDRESS FOLDER: leaves the tar of the release in FOLDER/tar; says why not.
take_delta() {
  local part=$2/$TAR_SHA256.delta head=$HEAD_DIR/delta made
  local manifest=$head/manifest
  read_delta "$head" || return
  space_for_patch || { echo 'there is not enough space for it'; return 1; }
  memory_for_patch || { echo 'there is not enough memory for it'; return 1; }
  made=$(stat -c %Y "$RELEASES/$FROM_VERSION/RELEASE") || made=0
  if ! archive "$RELEASES/$FROM_VERSION" "$made" >"$2/old" || [ "$(digest_of "$2/old")" != "$(value_of from-sha256 "$manifest")" ]; then
    echo "$FROM_VERSION is not here in the form in which it was packed"
    return 1
  fi
  PAYLOAD_SIZE=$(value_of payload-size "$manifest")
  PAYLOAD_SHA256=$(value_of payload-sha256 "$manifest")
  fetch_part "$1" "$part" $((PAYLOAD_OFFSET + PAYLOAD_SIZE)) || { echo 'its download stopped'; return 1; }
  proven "$part" || { rm -f -- "$part"; echo 'it is damaged'; return 1; }
  if ! patch "$2/old" "$part" "$PAYLOAD_OFFSET" "$(value_of pieces "$manifest")" "$2/tar" ||
    [ "$(digest_of "$2/tar")" != "$TAR_SHA256" ]; then
    rm -f -- "$part"
    echo 'it does not make the release that was signed'
    return 1
  fi
  rm -f -- "$2/old"
}

# by_whole FOLDER: where a part of it may be.
by_whole() {
  local part=$1/$PAYLOAD_SHA256 have rc=0
  have=$(size_of "$part")
  judge_space "$((have < PAYLOAD_SIZE ? have : PAYLOAD_SIZE))"
  PART=$part
  fetch_part "$SOURCE" "$part" $((PAYLOAD_OFFSET + PAYLOAD_SIZE)) || rc=$?
  if [ "$rc" -eq "$TOO_LONG" ]; then
    rm -f -- "$part"
    fail "$EXIT_FAILED" 'the source sends more than the manifest of the release says; what came was thrown away'
  fi
  [ "$rc" -eq 0 ] || fail "$EXIT_FAILED" 'the download stopped; the next update goes on from there'
}
