#!/usr/bin/env bash
# Makes a repository for Raspberry Pi Imager of an image that image.sh has made: what `rpi-imager --repo` is given.
#
#   imager.sh --image FILE.img.xz --release FILE --url https://HOST/FOLDER/ [--init-format FORMAT] [--out FOLDER]
#
# makes FOLDER/rpi-imager.json and FOLDER/laneware.svg (default: beside the image); put both and the image where --url says.
# --release is the release in the image: its version, its date and its boards are in the list. --init-format says how the system
# in the image takes what Imager asks its user for: none (default), systemd, cloudinit or cloudinit-rpi; image.sh --url knows it
# from the base. The digests are those of the files as they are: nothing is believed of another list.
set -euo pipefail

PROGRAM=imager
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say paths releases release-file
offer_help "$@"

readonly FORMATS=' none systemd cloudinit cloudinit-rpi '
# Imager shows a board only what names it. A Zero 2 W calls itself a Pi 3 there and has too little memory: the description says so.
readonly FAMILIES=('raspberrypi,5*:pi5-64bit' 'raspberrypi,4*:pi4-64bit' 'raspberrypi,3*:pi3-64bit')

# devices_of BOARDS: the names that Imager has for them, as members of a JSON list.
devices_of() {
  local family board found=()
  for family in "${FAMILIES[@]}"; do
    for board in $1; do
      # shellcheck disable=SC2254 # the pattern is one
      case $board in any | ${family%:*}) found+=("\"${family#*:}\""); break ;; esac
    done
  done
  [ ${#found[@]} -gt 0 ] || refuse "the release is for $1, which Imager has no name for"
  local IFS=,
  printf '%s' "${found[*]}"
}

# bytes_inside FILE: of what is packed in it, as its own index says; the digest of all of it is proof enough.
bytes_inside() { xz --robot --list -- "$1" | awk '$1 == "totals" { print $5 }'; }
digest_inside() { xz --decompress --stdout -- "$1" | sha256sum | cut -d ' ' -f 1; }

print_list() {
  cat <<END
{
  "os_list": [
    {
      "name": "Laneware $VERSION",
      "description": "Payment terminal and item recognition of a checkout lane, for boards with 1 GB of memory or more",
      "icon": "${URL}laneware.svg",
      "url": "$URL$NAME",
      "extract_size": $EXTRACT_SIZE,
      "extract_sha256": "$EXTRACT_SHA256",
      "image_download_size": $(stat -c %s -- "$IMAGE"),
      "image_download_sha256": "$(sha256sum <"$IMAGE" | cut -d ' ' -f 1)",
      "release_date": "$DATE",
      "devices": [$DEVICES],
      "architecture": "armv8",
      "init_format": "$FORMAT"
    }
  ]
}
END
}

IMAGE='' RELEASE='' URL='' FORMAT=none OUT=''
while [ $# -gt 0 ]; do
  case $1 in
    --image) IMAGE=${2:?--image needs a file}; shift ;;
    --release) RELEASE=${2:?--release needs a file}; shift ;;
    --url) URL=${2:?--url needs an address}; shift ;;
    --init-format) FORMAT=${2:?--init-format needs a word}; shift ;;
    --out) OUT=${2:?--out needs a folder}; shift ;;
    *) usage "$1 is no option" ;;
  esac
  shift
done
if [ -z "$IMAGE" ] || [ -z "$RELEASE" ] || [ -z "$URL" ]; then usage 'needs --image, --release and --url'; fi
[[ $FORMATS == *" $FORMAT "* ]] || usage "--init-format $FORMAT: take one of$FORMATS"
# who can change the list on its way changes the digests in it
[[ $URL =~ ^https://[A-Za-z0-9._~:/%-]+$ ]] || refuse "$URL: take an address that begins with https://, of plain characters"
URL=${URL%/}/
need xz sha256sum
NAME=$(basename -- "$IMAGE")
[[ $NAME =~ ^[A-Za-z0-9._-]+\.img\.xz$ ]] || refuse "$NAME: Imager takes FILE.img.xz, with a name of letters, digits, dots and dashes"
[ -r "$IMAGE" ] || fail "$EXIT_FAILED" "cannot read $IMAGE"
OUT=${OUT:-$(dirname -- "$IMAGE")}
WORK=$(mktemp -d)
trap 'rm -rf -- "$WORK"' EXIT
read_head "$RELEASE" "$WORK" || refuse "$RELEASE is no Laneware release"
VERSION=$(value_of version "$WORK/manifest")
DATE=$(value_of date "$WORK/manifest")
DATE=${DATE%%T*}
if ! is_version "$VERSION" || [[ ! $DATE =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]; then refuse "the manifest of $RELEASE is not complete"; fi
[ "$(value_of arch "$WORK/manifest")" = arm64 ] || refuse "$RELEASE is for no Raspberry Pi: Imager offers nothing else"
DEVICES=$(devices_of "$(value_of boards "$WORK/manifest")")
EXTRACT_SHA256=$(digest_inside "$IMAGE") || refuse "$IMAGE is damaged"
EXTRACT_SIZE=$(bytes_inside "$IMAGE")
print_list >"$WORK/list"
mkdir -p "$OUT"
cp -- "$HERE/imager/icon.svg" "$OUT/laneware.svg"
durable_write "$OUT/rpi-imager.json" <"$WORK/list"
say "$OUT/rpi-imager.json: put it with laneware.svg and $NAME to $URL, then: rpi-imager --repo ${URL}rpi-imager.json"
