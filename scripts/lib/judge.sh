# shellcheck shell=bash
# Whether a release may be installed on this device: each refusal is one sentence. Sourced.

readonly SPACE_MARGIN_BYTES=$((64 * 1024 * 1024))

arch_of_device() {
  local machine=${LANEWARE_MACHINE:-$(machine)}
  case $machine in
    aarch64) echo arm64 ;;
    x86_64) echo x64 ;;
    *) echo "$machine" ;;
  esac
}

# board_names: what the board calls itself, most exact first ("raspberrypi,4-model-b" "brcm,bcm2711"); empty on a PC.
board_names() { tr '\0' ' ' 2>/dev/null <"$ROOT/proc/device-tree/compatible" || true; }

free_bytes() { df --output=avail -B1 "$1" | tail -n 1; }

# judge_head FOLDER: believes FOLDER/manifest from here on, or refuses.
judge_head() {
  signed_by_us "$1" || refuse 'the release is signed with a key that this device does not know; it is left alone'
  [ "$(value_of name "$1/manifest")" = laneware ] || refuse 'the file is signed, but it is no Laneware release'
  VERSION=$(value_of version "$1/manifest")
  ARCH=$(value_of arch "$1/manifest")
  BOARDS=$(value_of boards "$1/manifest")
  PAYLOAD_SIZE=$(value_of payload-size "$1/manifest")
  PAYLOAD_SHA256=$(value_of payload-sha256 "$1/manifest")
  UNPACKED_SIZE=$(value_of unpacked-size "$1/manifest")
  SUMS_SHA256=$(value_of sums-sha256 "$1/manifest")
  if ! MADE_AT=$(moment "$(value_of date "$1/manifest")") || ! VALID_UNTIL=$(moment "$(value_of valid-until "$1/manifest")") ||
    ! is_version "$VERSION" || [[ ! $PAYLOAD_SIZE/$UNPACKED_SIZE =~ ^[0-9]{1,12}/[0-9]{1,12}$ ]] ||
    [[ ! $PAYLOAD_SHA256/$SUMS_SHA256 =~ ^[0-9a-f]{64}/[0-9a-f]{64}$ ]]; then
    refuse 'the manifest of the release is not complete'
  fi
}

# proven PART: whether it is exactly the file that the manifest describes.
proven() {
  [ "$(stat -c %s "$1")" -eq $((PAYLOAD_OFFSET + PAYLOAD_SIZE)) ] &&
    [ "$(payload_of "$1" | sha256sum)" = "$PAYLOAD_SHA256  -" ]
}

judge_board() {
  local mine name
  mine=$(arch_of_device)
  [ "$mine" != armv7l ] ||
    refuse 'this system is of 32 bits, and Laneware needs one of 64: write the 64-bit Raspberry Pi OS Lite to the card'
  [ "$ARCH" = "$mine" ] || refuse "release $VERSION is for $ARCH boards; this one is $mine"
  [ "$BOARDS" != any ] || return 0
  for name in $(board_names); do
    [[ " $BOARDS " == *" $name "* ]] && return 0
  done
  refuse "release $VERSION is for $BOARDS; this board is $(board_names)"
}

# judge_version: ends with "nothing new" where that version runs already; refuses an older one, or one that was undone.
judge_version() {
  local good
  good=$(linked good)
  if [ "$VERSION" = "$good" ]; then
    say "$VERSION runs already."
    ! has_expired ||
      warn "$VERSION was valid until $(day_of "$VALID_UNTIL"): if there are newer ones, somebody holds them back, or $SOURCE is forgotten"
    exit "$EXIT_NOTHING_NEW"
  fi
  [ "$VERSION" != "$(linked previous)" ] ||
    refuse "$VERSION is the release before this one: 'laneware-ota rollback' goes back to it"
  if ! is_newer "$VERSION" "${good:-0.0.0}" && [ -z "$DOWNGRADE" ]; then
    refuse "$VERSION is older than $good, which runs; --allow-downgrade installs it nevertheless"
  fi
  if is_blamed "$VERSION" && [ -z "$RETRY" ]; then
    refuse "$VERSION was undone before ($(value_of reason "$UPDATE_DIR/failures/$VERSION")); --retry tries it again"
  fi
}

# judge_space ALREADY_DOWNLOADED
judge_space() {
  local download=$((PAYLOAD_SIZE - $1)) unpack=$((UNPACKED_SIZE + SPACE_MARGIN_BYTES)) need_here
  need_here=$unpack
  if [ "$(stat -c %d "$UPDATE_DIR")" = "$(stat -c %d "$RELEASES")" ]; then
    need_here=$((unpack + download))
  elif (($(free_bytes "$UPDATE_DIR") < download)); then
    refuse "not enough space in $UPDATE_DIR: $((download >> 20)) MB are needed"
  fi
  (($(free_bytes "$RELEASES") >= need_here)) || drop_left
  (($(free_bytes "$RELEASES") >= need_here)) ||
    refuse "not enough space in $LANEWARE: $((need_here >> 20)) MB are needed, $(($(free_bytes "$RELEASES") >> 20)) are free"
}
