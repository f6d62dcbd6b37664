#!/usr/bin/env bash
# Makes a Debian package of a release, for boards that keep a system of their own: the very file of the release, and what
# installs it. Installing the package is install.sh, a newer package is an update like any other, with its gate and its way
# back, and the device goes on updating itself: docs/technician.md, "As a Debian package".
#
#   deb.sh --release FILE --key KEY.pub.pem [--out FOLDER]   makes FOLDER/laneware_<version>_<arm64|amd64>.deb (default: dist)
#
# KEY is what the release is signed with, and what a device without a key trusts from its installation on. The same release
# and key give the same bytes.
set -euo pipefail

PROGRAM=deb
HERE=$(dirname "$(readlink -f "$0")")
PROJECT=$(dirname "$HERE")
. "$HERE/lib/load.sh" say paths hostile keys releases release-file validity judge
offer_help "$@"

readonly LIB=usr/lib/laneware DOCUMENTS=usr/share/doc/laneware
# What of a release installs it, before there is one on the device.
readonly INSTALLER=(./scripts/install.sh ./scripts/lib)

# judge_release: the release must be what a device would take from that key; sets what its manifest says.
judge_release() {
  local key
  key=$(key_in "$KEY") || refuse "$KEY is no public key (bundle.sh --new-key makes KEY.pub.pem)"
  KEYS=$WORK/keys
  mkdir "$KEYS"
  know_keys
  put_key "$key"
  read_head "$RELEASE" "$WORK" || refuse "$RELEASE is no Laneware release"
  signed_by_us "$WORK" || refuse "$RELEASE is not signed with the key in $KEY"
  judge_head "$WORK"
  proven "$RELEASE" || refuse "$RELEASE is damaged"
}

debian_arch() { if [ "$ARCH" = x64 ]; then echo amd64; else echo "$ARCH"; fi; }

# filled FILE: of scripts/deb, with what is of this release alone.
filled() {
  sed -e "s/@VERSION@/$VERSION/g" -e "s/@ARCH@/$(debian_arch)/g" -e "s/@SIZE@/$SIZE_KB/g" \
    -e "s/@DATE@/$(LC_ALL=C date --utc --date "@$MADE_AT" --rfc-email)/g" "$HERE/deb/$1"
}

put_files() { # TREE
  mkdir -p "$1/$LIB" "$1/$DOCUMENTS"
  cp -- "$RELEASE" "$1/$LIB/laneware.release"
  cp -- "$KEY" "$1/$LIB/key.pub.pem"
  payload_of "$RELEASE" | tar --extract --gzip --no-same-owner --directory "$1/$LIB" "${INSTALLER[@]}"
  { filled copyright; sed 's/^$/./; s/^/ /' "$PROJECT/LICENSE"; } >"$1/$DOCUMENTS/copyright"
  filled changelog | gzip --best --no-name >"$1/$DOCUMENTS/changelog.gz"
}

put_control() { # TREE
  local name
  mkdir "$1/DEBIAN"
  for name in control postinst prerm postrm; do filled "$name" >"$1/DEBIAN/$name"; done
  (cd "$1" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$1/DEBIAN/md5sums"
  chmod 0755 "$1"/DEBIAN/{postinst,prerm,postrm}
}

RELEASE='' KEY='' OUT=$PROJECT/dist WORK='' SIZE_KB=0
while [ $# -gt 0 ]; do
  case $1 in
    --release) RELEASE=${2:?--release needs a file}; shift ;;
    --key) KEY=${2:?--key needs a file}; shift ;;
    --out) OUT=${2:?--out needs a folder}; shift ;;
    *) usage "$1 is no option" ;;
  esac
  shift
done
if [ -z "$RELEASE" ] || [ -z "$KEY" ]; then usage 'needs --release and --key'; fi
[ -r "$RELEASE" ] || fail "$EXIT_FAILED" "cannot read $RELEASE"
need dpkg-deb openssl tar gzip sha256sum md5sum
umask 022
WORK=$(mktemp -d)
trap 'rm -rf -- "$WORK"' EXIT
judge_release
TREE=$WORK/tree
mkdir -p "$TREE" "$OUT"
put_files "$TREE"
SIZE_KB=$(du --summarize --apparent-size --block-size=1024 "$TREE" | cut -f 1)
put_control "$TREE"
DEB=laneware_${VERSION}_$(debian_arch).deb
# the release is packed already: what could be won takes minutes
SOURCE_DATE_EPOCH=$MADE_AT dpkg-deb --root-owner-group -Zgzip -z1 --build "$TREE" "$WORK/$DEB" >/dev/null
mv -- "$WORK/$DEB" "$OUT/$DEB"
say "$OUT/$DEB ($(($(stat -c %s "$OUT/$DEB") >> 20)) MB): sudo apt install ./$DEB"
