#!/usr/bin/env bash
# Makes an OCI image of the last commit: a whole lane without hardware, for the tests of a till (docs/sim.md). The base is
# made here from Debian's packages; nothing is pulled. Needs root, buildah and mmdebstrap (Debian's packages of those names).
#
#   sim-image.sh [--arch amd64|arm64] [--out FOLDER]   makes dist/laneware-sim-<version>-<arch>.tar, both without --arch
#
# Load it with `podman load -i FILE` or `docker load -i FILE`. The same commit on the same packages gives the same layers.
set -euo pipefail

PROGRAM=sim-image
HERE=$(dirname "$(readlink -f "$0")")
PROJECT=$(dirname "$(dirname "$HERE")")
. "$HERE/../lib/load.sh" say stage
offer_help "$@"

# What Node needs of a system; no shell, no package manager.
readonly SUITE=bookworm PACKAGES=base-files,libc6,libgcc-s1,libstdc++6
readonly CONTENTS=(package.json package-lock.json .npmrc LICENSE firmware drivers models/NOTICE
  clients/samples ':(glob)models/lane-embed-*')
# An id that no user of the host has.
readonly USER_ID=65532
# Names that a network of containers is likely to call it by; more of them: --name, after the name of the image.
readonly NAMES=(laneware laneware-sim lane)

# make_base ROOT ARCH: a Debian of a few libraries.
make_base() {
  say "  base from Debian's packages"
  mmdebstrap --quiet --arch="$2" --variant=extract --include="$PACKAGES" "$SUITE" "$1" 2>"$STAGE/mmdebstrap.log" ||
    fail "$EXIT_FAILED" "the base cannot be made: $(tail -n 3 "$STAGE/mmdebstrap.log")"
  rm -rf -- "$1"/var/cache/* "$1"/var/lib/apt "$1"/var/lib/dpkg/info "$1"/var/log/* "$1"/usr/share/{doc,locale,lintian,man,info} \
    "$1"/usr/share/gcc* "${1:?}"/dev/* "$1"/etc/apt
  printf 'root:x:0:0::/:/none\nlaneware:x:%s:%s::/data:/none\n' "$USER_ID" "$USER_ID" >"$1/etc/passwd"
  printf 'root:x:0:\nlaneware:x:%s:\n' "$USER_ID" >"$1/etc/group"
  install -d -m 1777 "$1/tmp"
  install -d -o "$USER_ID" -g "$USER_ID" "$1/data"
}

# the_buildah COMMAND…: without the overlay file system, which a container may not have.
the_buildah() { buildah --storage-driver vfs --root "$STAGE/storage" --runroot "$STAGE/run" "$@"; }

# seal_image ROOT ARCH FILE
seal_image() {
  local container entry name names=()
  for name in "${NAMES[@]}"; do names+=("\"--name\", \"$name\","); done
  entry="[\"/laneware/bin/node\", \"/laneware/firmware/tools/sim/main.ts\", ${names[*]} \"--host\", \"0.0.0.0\"]"
  container=$(the_buildah from --arch "$2" scratch)
  the_buildah copy --quiet "$container" "$1" / >&2
  the_buildah config --arch "$2" --os linux --user "$USER_ID" --workingdir /data --entrypoint "$entry" --cmd '' \
    --port 1234 --port 8080 --port 1280 --port 1290 --env TMPDIR=/tmp --env NODE_COMPILE_CACHE=/tmp/compiled \
    --label org.opencontainers.image.title='Laneware, simulated' --label org.opencontainers.image.version="$VERSION" \
    --label org.opencontainers.image.revision="$COMMIT" --label org.opencontainers.image.licenses=MIT "$container"
  rm -f -- "$3"
  the_buildah commit --quiet --disable-compression=false --timestamp "$EPOCH" --squash "$container" "oci-archive:$3:laneware-sim:$VERSION" >&2
}

image() { # ARCH
  local root npm_arch=$1 file=$OUT/laneware-sim-$VERSION-$1.tar
  [ "$1" = arm64 ] || npm_arch=x64
  say "$VERSION for $1"
  STAGE=$(mktemp -d)
  root=$STAGE/root
  make_base "$root" "$1"
  mkdir -p "$root/laneware"
  copy_sources "$root/laneware" "${CONTENTS[@]}"
  copy_dependencies "$root/laneware" "$npm_arch"
  keep_used "$root/laneware" "$npm_arch"
  rm -f -- "$root/laneware/package-lock.json"
  say '  image'
  seal_image "$root" "$1" "$file"
  say "  $file: $(($(stat -c %s "$file") >> 20)) MB to load, $(($(du -sk "$root" | cut -f 1) >> 10)) MB unpacked"
  rm -rf -- "$STAGE"
}

OUT=$PROJECT/dist ARCHES='amd64 arm64' STAGE='' GPIO=''
while [ $# -gt 0 ]; do
  case $1 in
    --arch) ARCHES=${2:?--arch needs amd64 or arm64}; shift ;;
    --out) OUT=${2:?--out needs a folder}; shift ;;
    *) usage "$1 is no option" ;;
  esac
  shift
done
for arch in $ARCHES; do [[ $arch =~ ^(amd64|arm64)$ ]] || usage "$arch is no architecture of the image"; done
[ "$(id -u)" -eq 0 ] || fail "$EXIT_FAILED" 'needs root'
need buildah mmdebstrap git npm tar
trap 'rm -rf -- "${STAGE:-}"' EXIT
umask 022
COMMIT=$(git -C "$PROJECT" rev-parse HEAD)
EPOCH=$(git -C "$PROJECT" log -1 --format=%ct "$COMMIT")
VERSION=$(git -C "$PROJECT" show "$COMMIT:package.json" | sed -n 's/^  "version": "\(.*\)",$/\1/p')
mkdir -p "$OUT"
OUT=$(readlink -f "$OUT")
for arch in $ARCHES; do image "$arch"; done
