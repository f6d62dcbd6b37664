# shellcheck shell=bash
# Which bytes of a release are fetched. Sourced.
#
#   delta   laneware-OLD-NEW-ARCH.delta beside the release: what has changed since the one that runs (delta.sh)
#   small   laneware-ARCH.small beside laneware-ARCH.release: the same tar, packed by xz
#   whole   laneware-ARCH.release: packed by gzip, for those who know nothing else
#
# The first that is there and is what was signed. Where one of the first two is not, the next is taken and nothing is lost
# but time: what is unpacked has in each case the digest that the manifest of the release names.

readonly TOO_LONG=90 # no exit code of curl
readonly STOPPED='the download stopped; the next update goes on from there'

size_of() { stat -c %s "$1" 2>/dev/null || echo 0; }

# fetch_part SOURCE PART BYTES: all of it, from where the part that is here ends.
fetch_part() {
  local rc=0
  ! is_longer "$2" "$3" || rm -f -- "$2"
  if [ "$(size_of "$2")" -eq "$3" ]; then return; fi
  fetch_whole "$1" "$2" "$3" || rc=$?
  ! is_longer "$2" "$3" || rc=$TOO_LONG
  return "$rc"
}
download() {
  local folder=$UPDATE_DIR/download
  mkdir -p "$folder"
  # of releases that are no longer offered, and of deltas that were cut short
  find "$folder" -mindepth 1 -not -name "$PAYLOAD_SHA256" -not -name "${SMALL_SHA256:-$PAYLOAD_SHA256}" \
    -not -name "${TAR_SHA256:-$PAYLOAD_SHA256}.delta" -delete
  by_delta "$folder" || by_small "$folder" || by_whole "$folder"
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

# by_small FOLDER: ends the script only where the line does.
by_small() {
  local head=$HEAD_DIR/small part=$1/$SMALL_SHA256 bytes had rc=0 whole_offset=$PAYLOAD_OFFSET
  if [ "$PACKING" != gzip ] || [ -z "$SMALL_SHA256" ] || [[ $SOURCE != *.release ]] || ! can_unxz; then return 1; fi
  if ! is_url "$SOURCE" && [ ! -e "${SOURCE%.release}.small" ]; then return 1; fi
  bytes=$((PAYLOAD_OFFSET + SMALL_SIZE + ${#SMALL_KIND} - ${#WHOLE_KIND}))
  judge_space_of "$SMALL_SIZE" "$part"
  had=$(size_of "$part")
  fetch_part "${SOURCE%.release}.small" "$part" "$bytes" || rc=$?
  case $rc in
    0 | "$TOO_LONG") ;;
    "$CURL_HTTP_ERROR") return 1 ;;
    *) if is_url "$SOURCE"; then judge_stop "$part" "$had"; return 1; fi ;;
  esac
  mkdir -p "$head"
  if [ "$rc" -eq 0 ] && read_head "$part" "$head" && [ "$PACKING" = xz ] && cmp -s "$head/manifest" "$HEAD_DIR/manifest"; then
    if (PAYLOAD_SIZE=$SMALL_SIZE PAYLOAD_SHA256=$SMALL_SHA256 && proven "$part" && tar_is_signed "$part"); then
      PART=$part PAYLOAD_SIZE=$SMALL_SIZE PAYLOAD_SHA256=$SMALL_SHA256
      return
    fi
  fi
  PACKING=gzip PAYLOAD_OFFSET=$whole_offset
  rm -f -- "$part"
  warn "what lies at ${SOURCE%.release}.small is not what was signed, or cannot be unpacked here: the larger file is fetched"
  return 1
}

# judge_stop PART HAD: ends the script where the line is slow or away, of which the larger file would make more. What stood still
# although its server answers (a proxy that lets nothing so named through) is left.
judge_stop() {
  [ "$(size_of "$1")" -le "$2" ] || fail "$EXIT_FAILED" "$STOPPED"
  fetch_head "$SOURCE" "$HEAD_DIR/again" ||
    fail "$EXIT_FAILED" "${SOURCE%/*} answers no more ($(head -n 1 "$HEAD_DIR/again.error")); the next update goes on from there"
  rm -f -- "$1"
  warn "${SOURCE%.release}.small does not come: the larger file is fetched"
}

# tar_is_signed PART: whether it can be unpacked on this machine, to the bytes that were signed.
tar_is_signed() { [ "$(tar_of "$1" | sha256sum)" = "$TAR_SHA256  -" ]; }

# judge_space_of BYTES PART: of a payload, a part of which may be here.
judge_space_of() {
  local have PAYLOAD_SIZE=$1
  have=$(size_of "$2")
  judge_space "$((have < PAYLOAD_SIZE ? have : PAYLOAD_SIZE))"
}

by_whole() {
  local part=$1/$PAYLOAD_SHA256 rc=0
  judge_space_of "$PAYLOAD_SIZE" "$part"
  PART=$part
  fetch_part "$SOURCE" "$part" $((PAYLOAD_OFFSET + PAYLOAD_SIZE)) || rc=$?
  if [ "$rc" -eq "$TOO_LONG" ]; then
    rm -f -- "$part"
    fail "$EXIT_FAILED" 'the source sends more than the manifest of the release says; what came was thrown away'
  fi
  [ "$rc" -eq 0 ] || fail "$EXIT_FAILED" "$STOPPED"
}
