# shellcheck shell=bash
# What the first program of a read-only root (image.sh --read-only) has found at this start. Sourced.

READ_ONLY_STATE=$ROOT/run/laneware-root/state

# root_in_memory: whether what is written beside the kept folders is gone at the next start.
root_in_memory() { [ "$(value_of root "$READ_ONLY_STATE")" = memory ]; }

# keeps_nothing: whether the data partition is absent or damaged, so that nothing of this start stays.
keeps_nothing() { [ "$(value_of data "$READ_ONLY_STATE")" = absent ]; }

# open_boot FOLDER: where the boot partition can only be read, it can be written to until close_boot.
OPENED=''
open_boot() {
  [ ! -w "$1" ] || return 0
  mount -o remount,rw "$1" || return
  OPENED=$1
}

close_boot() {
  [ -z "$OPENED" ] || mount -o remount,ro "$OPENED" || warn "$OPENED can still be written to"
  OPENED=''
}
