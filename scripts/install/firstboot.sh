#!/usr/bin/env bash
# Gives a freshly flashed board an identity of its own: its name, and the key of its secrets. Runs once, before everything else
# (laneware-firstboot.service); repeating it after a power cut does no harm. It takes no arguments, and does nothing where it is
# not the script of an installed release.
set -euo pipefail

PROGRAM=firstboot
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say paths board
offer_help "$@"
[ $# -eq 0 ] || usage
only_on_device

board_serial() { tr -d '\0' 2>/dev/null <"$ROOT/proc/device-tree/serial-number" || true; }

# new_name: laneware- and the end of the board's serial number; on a board without one that is long enough, of the machine's id.
new_name() {
  local id
  id=$(board_serial)
  id=${id//[^A-Za-z0-9]/} # no other character may stand in a name of the network
  [ "${#id}" -ge 8 ] || id=$(cat "$ROOT/etc/machine-id" 2>/dev/null || true)
  [ "${#id}" -ge 8 ] || id=$(od -An -N 4 -t x4 /dev/urandom | tr -d ' ')
  printf 'laneware-%s' "${id: -8}"
}

mkdir -p "$CONFIG_DIR" "$ROOT/etc/credstore"

name=$(new_name)
old=$(cat "$ROOT/etc/hostname" 2>/dev/null || echo raspberrypi)
set_name "$name"

(umask 077 && head -c 32 /dev/urandom | durable_write "$ROOT/etc/credstore/laneware-key")

# The last step: with this file the identity is complete and stays.
printf 'name=%s\nformerly=%s\n' "$name" "$old" | durable_write "$CONFIG_DIR/identity"
