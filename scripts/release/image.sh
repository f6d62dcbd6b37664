#!/usr/bin/env bash
# Makes a flashable image of Raspberry Pi OS Lite with Laneware in it, offline, from your own download of the base: the
# camera's programs and drivers are in no other distribution. Needs root for mounting; nothing of the image is run.
#
#   image.sh --base RASPBERRY_PI_OS_LITE.img[.xz] --release FILE --key KEY.pub.pem [--out FILE.img] [--url https://HOST/FOLDER/]
#            [--raw] [--arch arm64] [--this-machine-only] [--read-only] and what install.sh takes: --token --allow --camera --source
#            --insecure --allow-expired --timezone --closed --security-updates
#
# makes FILE.img, for dd, and FILE.img.xz, for any imager and for downloads; the same FILE.img always gives the same FILE.img.xz. --raw
# leaves that out. --url makes a repository for Raspberry Pi Imager beside them, of files that are then put there (imager.sh).
# --read-only makes a card whose root is never written to: settings, releases and data are on a third partition, logs in memory.
#
# Every card flashed with it becomes a board of its own at its first boot: name, machine id, keys. It answers the network over TLS
# (--this-machine-only: not at all) to callers with a token, and a code on its display makes the first one. laneware.txt on the boot
# partition sets what a board needs before that: docs/technician.md. ssh is off until it does or the imager has switched it on, the
# sandbox bank is off, the log is capped.
set -euo pipefail

PROGRAM=image
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say paths releases units boot-files
. "$HERE/imager/init-format.sh"
. "$HERE/read-only/card.sh"
offer_help "$@"

# What the image grows by: two releases beside each other, and room to download a third. The first boot grows the root to the whole card.
readonly GROW_MB=1024 SECTOR_BYTES=512

copy_base() { # BASE IMAGE
  case $1 in
    *.xz) need xz; xz --decompress --stdout "$1" >"$2" ;;
    *) cp --sparse=always -- "$1" "$2" ;;
  esac
}

# partition IMAGE NUMBER: "start size" in sectors.
partition() { sfdisk --dump "$1" | sed -n "s/^.*$2 : start= *\([0-9]*\), size= *\([0-9]*\),.*/\1 \2/p"; }

grow_root() { # IMAGE
  truncate --size "+$([ -n "$READ_ONLY" ] && echo "$ROOT_MB" || echo "$GROW_MB")M" "$1"
  echo ', +' | sfdisk --quiet --no-reread --no-tell-kernel -N 2 "$1"
}

# attach IMAGE NUMBER: a block device of that partition alone; this works on kernels that read no partition tables.
attach() {
  local start size
  read -r start size < <(partition "$1" "$2")
  losetup --find --show --offset $((start * SECTOR_BYTES)) --sizelimit $((size * SECTOR_BYTES)) "$1"
}

# The boot partition is FAT: mtools read and write it without mounting.
boot_partition() { printf '%s@@%d' "$IMAGE" $(($(partition "$IMAGE" 1 | cut -d ' ' -f 1) * SECTOR_BYTES)); }

extract_boot_files() {
  local name
  mkdir -p "$MOUNT/boot/firmware"
  for name in cmdline.txt config.txt; do
    mcopy -n -i "$(boot_partition)" "::$name" "$MOUNT/boot/firmware/$name" 2>/dev/null ||
      fail "$EXIT_REFUSED" "the first partition holds no $name: is $BASE a Raspberry Pi OS image?"
  done
}

return_boot_files() {
  local name
  for name in cmdline.txt config.txt; do
    mcopy -o -i "$(boot_partition)" "$MOUNT/boot/firmware/$name" "::$name"
  done
  # a file of that name switches ssh on at the first boot
  mdel -i "$(boot_partition)" ::ssh ::ssh.txt 2>/dev/null || true
  rm -f -- "$MOUNT"/boot/firmware/{cmdline,config}.txt
}

# forget_identity: what two boards must not share. The machine's id is left empty and not "uninitialized": systemd makes
# one up for either, but after the second it also asks questions and enables every unit that has a preset, ssh with them.
forget_identity() {
  : >"$MOUNT/etc/machine-id"
  rm -f -- "$MOUNT/var/lib/dbus/machine-id" "$MOUNT"/etc/ssh/ssh_host_*_key* "$MOUNT/etc/laneware/identity" \
    "$MOUNT/etc/credstore/laneware-key" "$MOUNT/var/lib/systemd/random-seed"
}

# close_doors: no ssh, and no question on a screen that a lane does not have. ssh is disabled and not masked: an imager that was
# asked for it enables it, and so does a key in laneware.txt.
close_doors() {
  local unit
  for unit in ssh.service sshd.service ssh.socket sshswitch.service userconfig.service; do
    rm -f -- "$MOUNT"/etc/systemd/system/*.wants/"$unit" "$MOUNT/etc/systemd/system/$unit"
  done
  link_to /dev/null "$UNIT_DIR/userconfig.service"
}

# pack FILE: with two threads or more, xz divides it into blocks of one size, so that every machine makes the same bytes. One thread
# would make others. What the user has set for xz (XZ_OPT) counts for less than what is said here.
pack() { xz --format=xz -6 --compress --stdout --threads=2 -- "$1"; }

release_mount() {
  if [ -n "$MOUNT" ]; then
    if mountpoint -q "$MOUNT"; then umount "$MOUNT"; fi
    MOUNT=''
  fi
  if [ -n "$LOOP" ]; then losetup --detach "$LOOP"; LOOP=''; fi
}

BASE='' RELEASE='' KEY='' OUT='' URL='' RAW='' READ_ONLY='' ARCH=arm64 REACH=(--listen-lan --claim) OPTIONS=() WORK='' MOUNT='' LOOP=''
while [ $# -gt 0 ]; do
  case $1 in
    --base) BASE=${2:?--base needs a file}; shift ;;
    --release) RELEASE=${2:?--release needs a file}; shift ;;
    --key) KEY=${2:?--key needs a file}; shift ;;
    --out) OUT=${2:?--out needs a file}; shift ;;
    --url) URL=${2:?--url needs an address}; shift ;;
    --raw) RAW=1 ;;
    --arch) ARCH=${2:?--arch needs arm64}; shift ;;
    --this-machine-only) REACH=() ;;
    --read-only) READ_ONLY=1 ;;
    --insecure | --allow-expired | --security-updates) OPTIONS+=("$1") ;;
    --new-token) usage 'the token of a board is made with the code on its display: leave --new-token out' ;;
    --listen-lan) ;; # as it is in any case
    --token | --allow | --camera | --source | --timezone | --closed) OPTIONS+=("$1" "${2:?$1 needs a value}"); shift ;;
    *) usage "$1 is no option" ;;
  esac
  shift
done
if [ -z "$BASE" ] || [ -z "$RELEASE" ] || [ -z "$KEY" ]; then usage 'needs --base, --release and --key'; fi
[ -z "$RAW" ] || [ -z "$URL" ] || usage '--url needs FILE.img.xz, which --raw leaves out'
if [ -n "$READ_ONLY" ] && [[ " ${OPTIONS[*]} " == *' --security-updates '* ]]; then
  usage '--security-updates install into the root, which --read-only never writes to: leave one of them out'
fi
[ "$(id -u)" -eq 0 ] || fail "$EXIT_FAILED" 'must be run as root: sudo image.sh ...'
need sfdisk losetup mcopy mdel resize2fs e2fsck
[ -n "$RAW" ] || need xz
[ -z "$READ_ONLY" ] || need mke2fs
[ -r "$BASE" ] || fail "$EXIT_FAILED" "cannot read $BASE"
OUT=${OUT:-laneware-$ARCH.img}
# beside the image, so that it gets its name by one rename; a folder of root's own, for OUT may lie where others write
WORK=$(mktemp -d "$(dirname "$OUT")/.laneware-image.XXXXXX")
IMAGE=$WORK/image

trap 'release_mount; rm -rf --one-file-system -- "$WORK"' EXIT
say "Copying $BASE"
copy_base "$BASE" "$IMAGE"
[ -n "$(partition "$IMAGE" 2)" ] || fail "$EXIT_REFUSED" "$BASE has no second partition: is it a Raspberry Pi OS image?"
if [ -n "$READ_ONLY" ] && [ -n "$(partition "$IMAGE" 3)" ]; then fail "$EXIT_REFUSED" "$BASE has a third partition already"; fi
grow_root "$IMAGE"
LOOP=$(attach "$IMAGE" 2)
e2fsck -p -f "$LOOP" >/dev/null || [ $? -le 1 ] || fail "$EXIT_FAILED" 'the file system of the base is damaged'
resize2fs "$LOOP" 2>/dev/null
MOUNT=$WORK/mount
mkdir "$MOUNT"
mount "$LOOP" "$MOUNT"
[ -z "$READ_ONLY" ] || can_be_read_only "$MOUNT"

say 'Installing the release'
extract_boot_files
machine=aarch64
[ "$ARCH" = arm64 ] || machine=x86_64
"$HERE/../install/install.sh" --root "$MOUNT" --machine "$machine" --release "$RELEASE" --key "$KEY" "${REACH[@]}" "${OPTIONS[@]}"
ROOT=$MOUNT
FORMAT=$(init_format "$MOUNT")
set_paths
[ -z "$READ_ONLY" ] || make_read_only "$MOUNT"
return_boot_files
enable_unit laneware-firstboot.service
enable_unit laneware-options.service
forget_identity
close_doors
fstrim "$MOUNT" 2>/dev/null || true # what was there for a while only need not be in the image, where the kernel can leave it out
sync -f "$MOUNT"
release_mount
LOOP=$(attach "$IMAGE" 2)
e2fsck -f -n "$LOOP" >/dev/null || fail "$EXIT_FAILED" 'the file system of the image did not come out whole'
release_mount
[ -z "$READ_ONLY" ] || add_data "$IMAGE"
if [ -z "$RAW" ]; then
  say 'Packing the image (some minutes)'
  pack "$IMAGE" >"$WORK/packed"
  mv -T "$WORK/packed" "$OUT.xz"
fi
mv -T "$IMAGE" "$OUT"
[ -z "$URL" ] || "$HERE/imager.sh" --image "$OUT.xz" --release "$RELEASE" --url "$URL" --init-format "$FORMAT"
say "$OUT$([ -n "$RAW" ] || printf ' or %s' "$OUT.xz"): write it to a card with any imager, put the card into the board, switch it on."
