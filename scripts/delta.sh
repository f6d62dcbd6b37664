#!/usr/bin/env bash
# Makes a delta: what has changed from one release to another, for devices that run the first and are to run the second.
#
#   delta.sh --key KEY.pem [--out FOLDER] OLD.release NEW.release
#
# It writes laneware-OLD-NEW-ARCH.delta into FOLDER (the one of NEW.release), to lie beside the new release at the source of the
# devices. KEY is one that they trust. A delta never makes other bytes than the whole release, and devices that cannot use
# it take the whole one: where the old release is another by then, where memory or space is short.
set -euo pipefail

PROGRAM='delta'
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/lib/load.sh" say paths keys releases release-file signing-key fetch judge delta
offer_help "$@"

readonly LEVEL=12

# unseal FILE NAME: its head into $WORK/NAME, its tar beside that.
unseal() {
  mkdir "$WORK/$2"
  read_head "$1" "$WORK/$2" || refuse "$1 is no Laneware release"
  tar_of "$1" >"$WORK/$2.tar"
  [ "$(digest_of "$WORK/$2.tar")" = "$(value_of tar-sha256 "$WORK/$2/manifest")" ] || refuse "$1 is damaged"
}

# cut_out FILE FROM BYTES OUT
cut_out() { dd if="$1" of="$4" iflag=skip_bytes,count_bytes bs=1M skip="$2" count="$3" status=none; }

# make_pieces: into $WORK/payload; sets PIECES.
make_pieces() {
  local at from
  PIECES=()
  : >"$WORK/payload"
  for ((at = 0; at < $(stat -c %s "$WORK/new.tar"); at += PIECE_BYTES)); do
    from=$((at < PIECE_BYTES ? 0 : at - PIECE_BYTES))
    cut_out "$WORK/old.tar" "$from" $((at + 2 * PIECE_BYTES - from)) "$WORK/reference"
    cut_out "$WORK/new.tar" "$at" "$PIECE_BYTES" "$WORK/piece"
    zstd --quiet --force -T0 "-$LEVEL" --long="$ZSTD_WINDOW_LOG" --patch-from="$WORK/reference" "$WORK/piece" -o "$WORK/packed" 2>/dev/null
    PIECES+=("$(stat -c %s "$WORK/packed")")
    cat "$WORK/packed" >>"$WORK/payload"
  done
}

KEY='' OUT='' FILES=()
while [ $# -gt 0 ]; do
  case $1 in
    --key) KEY=${2:?--key needs a file}; shift ;;
    --out) OUT=${2:?--out needs a folder}; shift ;;
    -*) usage "$1 is no option" ;;
    *) FILES+=("$1") ;;
  esac
  shift
done
if [ -z "$KEY" ] || [ ${#FILES[@]} -ne 2 ]; then usage 'needs --key and two releases'; fi
need openssl tar gzip zstd sha256sum dd
open_key "$KEY"
WORK=$(mktemp -d)
trap 'rm -rf -- "$WORK"' EXIT
unseal "${FILES[0]}" old
unseal "${FILES[1]}" new
OUT=${OUT:-$(dirname -- "${FILES[1]}")}
OLD=$(value_of version "$WORK/old/manifest") NEW=$(value_of version "$WORK/new/manifest") ARCH=$(value_of arch "$WORK/new/manifest")
[ "$(value_of arch "$WORK/old/manifest")" = "$ARCH" ] || refuse "the releases are of two architectures"
[ "$OLD" != "$NEW" ] || refuse "both releases are $NEW"
make_pieces
cat >"$WORK/manifest" <<MANIFEST
name=$DELTA_KIND
from=$OLD
version=$NEW
arch=$ARCH
from-sha256=$(value_of tar-sha256 "$WORK/old/manifest")
tar-sha256=$(value_of tar-sha256 "$WORK/new/manifest")
pieces=${PIECES[*]}
payload-size=$(stat -c %s "$WORK/payload")
payload-sha256=$(digest_of "$WORK/payload")
MANIFEST
sign "$KEY" "$WORK/manifest" "$WORK/signature"
out=$OUT/$(delta_name "$OLD" "$NEW" "$ARCH")
{ write_head "$WORK/manifest" "$WORK/signature" "$DELTA_KIND" && cat "$WORK/payload"; } >"$out.new"
mv -T "$out.new" "$out"
say "$out ($(($(stat -c %s "$out") / 1000)) kB)"
