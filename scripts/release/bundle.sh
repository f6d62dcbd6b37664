#!/usr/bin/env bash
# Makes releases of the last commit: one file a board architecture, with the app (its sources, and the bundle of them that runs), its Node, its dependencies, their lock and a bill of them (CycloneDX), signed.
#
#   bundle.sh --new-key KEY.pem                  makes a signing key under a passphrase, and KEY.pub.pem for the devices
#   bundle.sh --protect KEY.pem                  puts a passphrase on a key that was made without
#   bundle.sh --key KEY.pem --trust NEW.pub.pem [--trust …] [--out FOLDER]
#                                                adds to dist/laneware.keys that devices trust those keys from now on, and
#                                                no others; KEY is one that they trust by now. Releases that are made into
#                                                that folder carry it along
#   bundle.sh --key KEY.pem --rehearsed FILE     makes dist/laneware-<version>-<arch>.release, both without --arch
#             [--arch arm64|x64] [--out FOLDER] [--version X.Y.Z] [--boards "NAME NAME"] [--without-gpio] [--without-native] [--nats-server DEB]...
#             [--valid-days DAYS]
#
# Node goes without its tables for debuggers, which are in the package of its publisher under the same build id.
# A release brings the native runtime of the model: a library of LiteRT, whose pinned wheel pip fetches, and a program that gcc
# makes. --without-native leaves it out, and the model runs in WebAssembly.
# No release is made of a commit that was not rehearsed: `node test/tools/rehearsal/main.ts` lives two weeks with four lanes and writes
# the page that --rehearsed names. --unrehearsed in its place makes a release for trials.
# --nats-server takes the message server of a store's master along, from Debian's package for the architecture of the
# board (`apt-get download nats-server:arm64`); given twice, for both. Without it a master needs the network once, to install it.
# The passphrase is typed, or lies in LANEWARE_KEY_PASSPHRASE or in the file that LANEWARE_KEY_PASSPHRASE_FILE names, for builds without
# a terminal.
# Devices install a release for a year after its commit, or for --valid-days; after that it takes a newer one, or the same
# made anew with more days. The same commit gives the same bytes on machines with the same compiler, tar and gzip. Nothing
# of the working tree that is not committed gets in. --boards names the boards that may take it, as their device tree does
# ("raspberrypi,4-model-b raspberrypi,5-model-b"); without it any board of the architecture.
set -euo pipefail

PROGRAM=bundle
HERE=$(dirname "$(readlink -f "$0")")
PROJECT=$(dirname "$(dirname "$HERE")")
. "$HERE/../lib/load.sh" say paths keys releases release-file signing-key seal stage native key-statements
offer_help "$@"

# What a device needs of the project, and nothing besides, as git's pathspecs: a new file under another path is left out.
readonly CONTENTS=(
  package.json package-lock.json .npmrc README.md docs LICENSE firmware drivers systemd clients/samples clients/calls.md
  models/NOTICE ':(glob)models/lane-embed-*'
  scripts/install scripts/update scripts/lib scripts/lanectl.sh
  ':(exclude)drivers/display/wire/simulator-png.ts' ':(exclude)firmware/tools/sim' ':(exclude)firmware/tools/sandbox-bank/index.ts'
  ':(exclude)firmware/*.d.ts'
  ':(exclude)docs/decisions' ':(exclude)docs/acceptance' ':(exclude)docs/pages' ':(exclude)docs/pages.md' ':(exclude)docs/'{en,ru} ':(exclude)docs/lane.svg'
)

# copy_server STAGE ARCH: the message server of a store's master, out of the packages that were given.
copy_server() {
  local deb arch=$2
  [ "$arch" = x64 ] && arch=amd64
  [ "${#SERVERS[@]}" -gt 0 ] || return 0
  for deb in "${SERVERS[@]}"; do
    [ "$(dpkg-deb --field "$deb" Package) $(dpkg-deb --field "$deb" Architecture)" = "nats-server $arch" ] || continue
    SERVER_VERSION=$(dpkg-deb --field "$deb" Version)
    say "  nats-server $SERVER_VERSION"
    mkdir -p "$STAGE/server" "$1/bin"
    dpkg-deb --extract "$deb" "$STAGE/server"
    mv "$STAGE"/server/usr/*bin/nats-server "$1/bin/nats-server"
    mv "$STAGE/server/usr/share/doc/nats-server/copyright" "$1/bin/nats-server.copyright"
    return
  done
  fail "$EXIT_FAILED" "none of the files of --nats-server is the package nats-server for $arch"
}

bundle() { # ARCH
  local stage out=$OUT/laneware-$VERSION-$1.release
  say "$VERSION for $1"
  STAGE=$(mktemp -d)
  stage=$STAGE/release
  mkdir "$stage"
  copy_sources "$stage" "${CONTENTS[@]}"
  copy_server "$stage" "$1"
  copy_dependencies "$stage" "$1"
  [ -z "$NATIVE" ] || make_native "$stage" "$stage/bin/litert" "$1"
  # npm has read it; the device needs the name, the version and the date
  sed -i "s/^  \"version\": \".*\"/  \"version\": \"$VERSION\",\n  \"builtAt\": \"$(date -u -d "@$EPOCH" +%F)\"/" "$stage/package.json"
  bundle_code "$stage" "$1"
  printf 'name=laneware\nversion=%s\narch=%s\ncommit=%s\n' "$VERSION" "$1" "$COMMIT" >"$stage/RELEASE"
  (cd "$stage" && npm sbom --sbom-format cyclonedx --package-lock-only --loglevel=error) |
    node "$PROJECT/scripts/release/sbom.mjs" "$stage" "$EPOCH" "$SERVER_VERSION" || fail "$EXIT_FAILED" 'the bill of materials cannot be made'
  say '  packing'
  seal "$stage" "$out" "$KEY" "$VERSION" "$1" "$BOARDS" "$COMMIT" "$EPOCH" "$VALID_DAYS" "$OUT/laneware.keys" ||
    fail "$EXIT_FAILED" 'the release cannot be packed or signed'
  rm -rf -- "$STAGE"
  say "  $out ($(($(stat -c %s "$out") / 1000000)) MB)"
}

KEY='' TRUST=() ARCHES='arm64 x64' OUT=$PROJECT/dist VERSION='' BOARDS=any VALID_DAYS=365 GPIO=1 NATIVE=1 STAGE='' SERVERS=() SERVER_VERSION='' REHEARSED='' FOR_TRIALS=''
while [ $# -gt 0 ]; do
  case $1 in
    --new-key) new_key "${2:?--new-key needs a file}"; exit ;;
    --protect) protect_key "${2:?--protect needs a file}"; exit ;;
    --key) KEY=${2:?--key needs a file}; shift ;;
    --trust) TRUST+=("${2:?--trust needs a file}"); shift ;;
    --arch) ARCHES=${2:?--arch needs arm64 or x64}; shift ;;
    --out) OUT=${2:?--out needs a folder}; shift ;;
    --version) VERSION=${2:?--version needs three numbers}; shift ;;
    --boards) BOARDS=${2:?--boards needs names}; shift ;;
    --valid-days) VALID_DAYS=${2:?--valid-days needs a number}; shift ;;
    --rehearsed) REHEARSED=${2:?--rehearsed needs a file}; shift ;;
    --unrehearsed) FOR_TRIALS=1 ;;
    --without-gpio) GPIO='' ;;
    --without-native) NATIVE='' ;;
    --nats-server) SERVERS+=("$(readlink -e "${2:?--nats-server needs a file}")") || usage; shift ;;
    *) usage "$1 is no option" ;;
  esac
  shift
done
[ -n "$KEY" ] || usage
trap 'rm -rf -- "${STAGE:-}"' EXIT
if [ ${#TRUST[@]} -gt 0 ]; then
  mkdir -p "$OUT"
  open_key "$KEY"
  state_keys "$OUT/laneware.keys" "$KEY" "${TRUST[@]}"
  exit
fi
for arch in $ARCHES; do [[ $arch =~ ^(arm64|x64)$ ]] || usage; done
need git npm node openssl tar gzip sha256sum
[ "${#SERVERS[@]}" -eq 0 ] || need dpkg-deb
umask 022
COMMIT=$(git -C "$PROJECT" rev-parse HEAD)
EPOCH=$(git -C "$PROJECT" log -1 --format=%ct "$COMMIT")
[ -n "$VERSION" ] || VERSION=$(git -C "$PROJECT" show "$COMMIT:package.json" | sed -n 's/^  "version": "\(.*\)",$/\1/p')
is_version "$VERSION" || fail "$EXIT_USAGE" "the version must be three numbers, as in 1.2.3; it is \"$VERSION\""
[[ $VALID_DAYS =~ ^[1-9][0-9]{0,4}$ ]] || fail "$EXIT_USAGE" "--valid-days must be a number of days; it is \"$VALID_DAYS\""
(($(date +%s) < EPOCH + VALID_DAYS * 86400)) ||
  fail "$EXIT_REFUSED" "the release would be valid until $(date_at $((EPOCH + VALID_DAYS * 86400))): give it more --valid-days"
if [ -z "$FOR_TRIALS" ]; then
  [ -n "$REHEARSED" ] ||
    fail "$EXIT_REFUSED" "a release needs the page of a rehearsal: run node test/tools/rehearsal/main.ts as root, and give --rehearsed FILE; or --unrehearsed for a trial"
  grep -qsx "Commit $COMMIT: all books and templates agree, and nothing has leaked." -- "$REHEARSED" ||
    fail "$EXIT_REFUSED" "$REHEARSED does not say that this commit went well: run node test/tools/rehearsal/main.ts as root, or give --unrehearsed for a trial"
fi
open_key "$KEY"
mkdir -p "$OUT"
OUT=$(readlink -f "$OUT")
if [ -s "$OUT/laneware.keys" ]; then
  require_trusted "$OUT/laneware.keys" "$KEY"
  rm -rf -- "$STAGE"
fi
for arch in $ARCHES; do bundle "$arch"; done
