# shellcheck shell=bash
# The download of a release, which continues where an earlier one stopped. Sourced.

readonly TOO_LONG=90 # no exit code of curl

size_of() { stat -c %s "$1" 2>/dev/null || echo 0; }

# fetch_part SOURCE PART BYTES: fetches what PART still lacks of so many bytes.
fetch_part() {
  local rc=0
  ! is_longer "$2" "$3" || rm -f -- "$2"
  if [ "$(size_of "$2")" -eq "$3" ]; then return; fi
  unlocked fetch_whole "$1" "$2" "$3" || rc=$?
  ! is_longer "$2" "$3" || rc=$TOO_LONG
  return "$rc"
}

# download: sets PART. Ends the update where another release has become the good one meanwhile.
download() {
  local folder=$UPDATE_DIR/download have rc=0 now
  mkdir -p "$folder"
  PART=$folder/$PAYLOAD_SHA256
  exec 8>>"$RUN_DIR/download"
  flock 8
  find "$folder" -mindepth 1 -not -name "$PAYLOAD_SHA256" -delete # of releases that are no longer offered
  have=$(size_of "$PART")
  judge_space "$((have < PAYLOAD_SIZE ? have : PAYLOAD_SIZE))"
  fetch_part "$SOURCE" "$PART" $((PAYLOAD_OFFSET + PAYLOAD_SIZE)) || rc=$?
  if [ "$rc" -eq "$TOO_LONG" ]; then
    rm -f -- "$PART"
    fail "$EXIT_FAILED" 'the source sends more than the manifest of the release says; what came was thrown away'
  fi
  [ "$rc" -eq 0 ] || fail "$EXIT_FAILED" 'the download stopped; the next update goes on from there'
  exec 8<&-
  now=$(linked good)
  [ "$now" = "$STATE_FROM" ] ||
    fail "$EXIT_NOT_NOW" "$now runs by now, no longer $STATE_FROM: put off, and the download is kept"
}
