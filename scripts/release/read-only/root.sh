#!/bin/sh
# The first program of a lane whose root is read-only (image.sh --read-only): lays memory over the root and puts what must stay
# onto the data partition, then starts the system. The kernel starts it as init=, with an initramfs or without one, and no update
# changes it. What fails here is reported (/run/laneware-root/state, the kernel's log), and the board starts nevertheless.
#
#   laneware.root=writable   on the kernel's command line: the root itself is written to, to maintain the system

PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH

# Folders that stay, where the root has them. /etc stays too, file by file, over what the root has of it.
KEPT='opt/laneware var/lib/laneware var/lib/laneware-update var/lib/bluetooth var/lib/NetworkManager
  var/lib/systemd var/lib/cloud home root'
DATA_NUMBER=3
# What a partition table may leave at the end of a card.
SLACK_SECTORS=16384
# Share of the memory for all that is written beside these folders.
MEMORY_SHARE=25%
REPORTED=/run/laneware-root
DATA=$REPORTED/data
STAGE=/mnt
NEW=$STAGE/new

DISK='' PART='' STATE=ok WHY='' FIRST=''

say() { echo "<$1>laneware: $2" >/dev/kmsg; }
trouble() { # SENTENCE
  say 3 "$1"
  WHY="${WHY:+$WHY; }$1"
}
asked() { grep -Eq "(^| )$1( |\$)" /proc/cmdline; }

mount_kernel() {
  mountpoint -q /proc || mount -t proc proc /proc
  mountpoint -q /sys || mount -t sysfs sysfs /sys
  mountpoint -q /dev || mount -t devtmpfs devtmpfs /dev
  mountpoint -q /run || mount -t tmpfs -o mode=0755,nosuid,nodev,size=20% tmpfs /run
  mkdir -p "$REPORTED/base" "$DATA"
}

# find_data: the third partition of the very disk that the root is on. A name could be that of another card.
find_data() {
  disk=$(readlink -f "/sys/dev/block/$(mountpoint -d /)/..")
  DISK=${disk##*/}
  for each in "$disk/$DISK"*; do
    if [ "$(cat "$each/partition" 2>/dev/null)" = "$DATA_NUMBER" ]; then PART=${each##*/}; fi
  done
  [ -n "$PART" ]
}

# grow_partition: to the end of the card. One sector is written; a cut before or after it leaves a table that is whole, and the
# next start does the rest.
grow_partition() {
  of=/sys/class/block/$PART
  [ $(($(cat "/sys/class/block/$DISK/size") - $(cat "$of/start") - $(cat "$of/size"))) -gt "$SLACK_SECTORS" ] || return 0
  if ! echo ', +' | sfdisk --quiet --no-reread --no-tell-kernel -N "$DATA_NUMBER" "/dev/$DISK" >/dev/null ||
    ! partx --update --nr "$DATA_NUMBER" "/dev/$DISK"; then say 3 'the data partition cannot be grown'; fi
}

# mend: repairs what can be repaired without a loss; with a loss only where the command line says fsck.repair=yes, as for any other
# file system of a Raspberry Pi OS. The loss is reported until somebody removes the note of it.
mend() {
  e2fsck -p "/dev/$PART" >/dev/null 2>&1
  [ $? -gt 1 ] || return 0
  asked fsck.repair=yes || return 1
  e2fsck -y "/dev/$PART" >"$REPORTED/repair" 2>&1
  [ $? -le 1 ]
}

mount_data() {
  if ! find_data; then trouble "the disk has no data partition (number $DATA_NUMBER)"; return 1; fi
  grow_partition
  if ! mend; then trouble "the file system of the data partition is damaged: e2fsck /dev/$PART"; return 1; fi
  if ! mount -t ext4 -o noatime "/dev/$PART" "$DATA"; then trouble "the data partition /dev/$PART cannot be mounted"; return 1; fi
  chmod 0700 "$DATA" # what is kept is reached where it is mounted, and no other way round
  if [ -e "$REPORTED/repair" ]; then cp "$REPORTED/repair" "$DATA/repaired" && sync -f "$DATA"; fi
  resize2fs "/dev/$PART" >/dev/null 2>&1 || say 3 'the file system of the data partition cannot be grown'
}

# seed FOLDER: at the first start, what the image has of it; whole or not at all, whenever the power goes.
seed() {
  [ ! -e "$DATA/kept/$1" ] || return 0
  say 6 "copying /$1 to the data partition"
  rm -rf "$DATA/new"
  mkdir -p "$(dirname "$DATA/kept/$1")" && cp -a "/$1" "$DATA/new" && sync -f "$DATA" && mv -T "$DATA/new" "$DATA/kept/$1" &&
    sync -f "$DATA"
}

seed_all() {
  if [ -e "$DATA/repaired" ] && [ ! -d "$DATA/kept/var/lib/laneware" ]; then
    trouble "the file system of the data partition was damaged and mended, and what it kept is gone (lost+found of /dev/$PART)"
    return 1
  fi
  [ -d "$DATA/kept/opt/laneware" ] || FIRST=1
  mkdir -p "$DATA/etc/upper" "$DATA/etc/work" "$DATA/kept" || return
  for each in $KEPT; do
    if [ -d "/$each" ]; then seed "$each" || return; fi
  done
}

# run_without_data: the lane runs, to report it. What it would write is refused: a payment that memory alone knows of would be lost.
run_without_data() {
  STATE=absent
  ! mountpoint -q "$DATA" || umount "$DATA"
}

keep_data() { # ROOT
  mount -t overlay -o "lowerdir=/etc,upperdir=$DATA/etc/upper,workdir=$DATA/etc/work" laneware-etc "$1/etc" || return
  for each in $KEPT; do
    if [ -d "/$each" ]; then mount --bind "$DATA/kept/$each" "$1/$each" || return; fi
  done
}

refuse_data() { # ROOT
  owner=$(stat -c uid=%u,gid=%g /var/lib/laneware)
  mount -t tmpfs -o "ro,mode=0750,$owner" laneware-no-data "$1/var/lib/laneware"
  rm -f "$1/etc/systemd/system/timers.target.wants/laneware-update.timer" # a release does not fit into memory
  # above the login prompt: the network asks for a token that is lost for now
  mkdir -p "$1/etc/issue.d" && printf 'Laneware keeps nothing and takes no payment: %s\n\n' "$WHY" >"$1/etc/issue.d/laneware-data.issue"
}

lay_memory() {
  mount -t tmpfs -o "mode=0755,size=$MEMORY_SHARE" laneware-memory "$STAGE" && mkdir "$STAGE/upper" "$STAGE/work" "$NEW" &&
    mount -t overlay -o "lowerdir=/,upperdir=$STAGE/upper,workdir=$STAGE/work" laneware-root "$NEW"
}

# settle ROOT: what systemd does otherwise than in the base. The boot partition is written to only at the first start, and when an imager has
# something done that it leaves there.
settle() {
  units=/run/systemd/system
  mkdir -p "$units"
  [ "$1" = / ] || ln -sfn /dev/null "$units/systemd-remount-fs.service"
  if [ "$1" != / ] && [ -z "$FIRST" ] && ! asked 'systemd\.run=.*'; then
    for each in boot boot-firmware; do
      mkdir -p "$units/$each.mount.d"
      printf '[Mount]\nOptions=ro\n' >"$units/$each.mount.d/read-only.conf"
    done
  fi
}

report() { # ROOT
  where=memory
  [ "$1" != / ] || where=writable
  if [ "$STATE" = ok ] && [ -e "$DATA/repaired" ]; then STATE=repaired; fi
  printf 'root=%s\ndata=%s\nwhy=%s\n' "$where" "$STATE" "$WHY" >"$REPORTED/state"
}

start() { # ROOT
  if [ "$1" = / ]; then exec /sbin/init; fi
  for each in dev sys run proc; do mount -n --move "/$each" "$1/$each"; done
  # shellcheck disable=SC2094 # a console is no file
  cd "$1" && pivot_root . run/laneware-root/base && exec chroot . /sbin/init <dev/console >dev/console 2>&1
}

mount_kernel
modprobe overlay 2>/dev/null
if ! mount_data || ! seed_all; then run_without_data; fi
ROOT=$NEW
if asked laneware.root=writable; then
  ROOT=/
elif ! lay_memory; then
  trouble 'no memory can be laid over the root: it is written to'
  ROOT=/
fi
[ "$ROOT" != / ] || mount -o remount,rw /
if [ "$STATE" = ok ] && ! keep_data "$ROOT"; then
  trouble 'what the data partition keeps cannot be mounted'
  STATE=absent
fi
[ "$STATE" = ok ] || refuse_data "$ROOT"
settle "$ROOT"
report "$ROOT"
start "$ROOT"
