#!/usr/bin/env bash
# Tests a whole lane under a real systemd: a Debian in systemd-nspawn, on a disk image whose power can be cut. Needs root on
# Debian or Raspberry Pi OS, the network for the first run, and about 6 GB under LANEWARE_LAB (/var/tmp/laneware-lab).
#
#   test-lane.sh [x64|arm64] scenario   boots, is killed, hangs, is updated, goes back, crash loop, factory reset
#   test-lane.sh machine                the page of the device: update, way back, backup put back, reset, restart of the machine
#   test-lane.sh install                installs on a system that runs, twice, and removes it
#   test-lane.sh power                  loses power in every step of an update, and while it writes
#   test-lane.sh arm64 same             recognises on arm64 (emulated) what x64 recognises, but for rounding
#   test-lane.sh wear [SECONDS]         bytes written to the disk by an idle and by a busy device, an hour long where no time is given
#   test-lane.sh [x64|arm64] image      makes a flashable image of a Debian, for arm64 where nothing is said, and boots it
#   test-lane.sh x64 read-only          makes an image with a read-only root, and boots it with a kernel of its own (qemu), with and
#                                       without an initramfs: what stays over power cuts, and what a damaged card does; half an hour
#   test-lane.sh sim                    makes both OCI images of the simulated lane, and has each sell and recognise
set -euo pipefail

PROGRAM=test-lane
HERE=$(dirname "$(readlink -f "$0")")
PROJECT=$(dirname "$(dirname "$HERE")")
. "$PROJECT/scripts/lib/load.sh" say
offer_help "$@"

export LANEWARE_LAB=${LANEWARE_LAB:-/var/tmp/laneware-lab}
readonly PACKAGES=systemd,systemd-sysv,systemd-timesyncd,dbus,polkitd,udev,iproute2,procps,curl,openssl,ca-certificates,libstdc++6,libatomic1
readonly KERNEL_PACKAGES=linux-image-cloud-amd64,initramfs-tools,e2fsprogs,fdisk,dosfstools,kmod,openssh-server,sudo,busybox-static
readonly SUITE=bookworm

emulate_arm64() {
  [ "$(uname -m)" = aarch64 ] && return
  mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  update-binfmts --enable qemu-aarch64
}

base() { # ARCH: a small Debian, made once
  local debian=amd64
  [ "$1" = x64 ] || { debian=arm64; emulate_arm64; }
  [ ! -d "$LANEWARE_LAB/root-$1/etc" ] || return 0
  say "Making a Debian for $1 (once, some minutes)"
  make_base "root-$1" "$debian" "$PACKAGES"
}

make_base() { # NAME ARCH PACKAGES
  mkdir -p "$LANEWARE_LAB"
  nice mmdebstrap --quiet --arch="$2" --variant=minbase --include="$3" "$SUITE" "$LANEWARE_LAB/$1.new"
  mv -T "$LANEWARE_LAB/$1.new" "$LANEWARE_LAB/$1"
}

base_with_kernel() { # a Debian that starts by itself, made once
  [ ! -d "$LANEWARE_LAB/root-x64-kernel/etc" ] || return 0
  say 'Making a Debian with a kernel (once, some minutes)'
  make_base root-x64-kernel amd64 "$PACKAGES,$KERNEL_PACKAGES"
}

ASKED=''
case ${1:-} in x64 | arm64) ASKED=$1; shift ;; esac
ARCH=${ASKED:-x64}
TEST=${1:-}
shift || usage
case $TEST in scenario | machine | install | power | same | wear | image | read-only | sim) ;; *) usage ;; esac
[ "$(id -u)" -eq 0 ] || fail "$EXIT_FAILED" 'needs root'
need systemd-nspawn mmdebstrap mke2fs ip perl git
node=$PROJECT/node_modules/.bin/node
case $TEST in
  scenario) base "$ARCH"; exec nice "$node" "$PROJECT/test/lane/scenario.ts" "$ARCH" ;;
  machine) base x64; exec nice "$node" "$PROJECT/test/lane/machine.ts" ;;
  install) base x64; exec nice "$node" "$PROJECT/test/lane/install.ts" ;;
  power) base x64; exec nice "$node" "$PROJECT/test/lane/power.ts" ;;
  same) base arm64; exec nice "$node" "$PROJECT/test/lane/same.ts" ;;
  wear) base x64; exec nice "$node" "$PROJECT/test/lane/wear.ts" "$@" ;;
  image) need mkfs.vfat mcopy sfdisk; base "${ASKED:-arm64}"; exec nice "$node" "$PROJECT/test/lane/image.ts" "${ASKED:-arm64}" ;;
  read-only)
    need qemu-system-x86_64 ssh cpio mkfs.vfat mcopy sfdisk
    base_with_kernel
    exec "$node" "$PROJECT/test/lane/read-only.ts"
    ;;
  sim) emulate_arm64; need buildah; exec nice "$node" "$PROJECT/test/lane/sim-image.ts" ;;
esac
