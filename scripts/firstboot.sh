#!/usr/bin/env bash
# Gives a freshly flashed board an identity of its own: name, keys, and the token of the network where one is wanted.
# Runs once, before everything else (laneware-firstboot.service); repeating it after a power cut does no harm. It takes no
# arguments, and does nothing where it is not the script of an installed release.
set -euo pipefail

PROGRAM=firstboot
HERE=$(dirname "$(readlink -f "$0")")
for part in say paths; do
  # shellcheck source=/dev/null
  . "$HERE/lib/$part.sh"
done
offer_help "$@"
[ $# -eq 0 ] || usage
only_on_device

board_serial() { tr -d '\0' 2>/dev/null <"$ROOT/proc/device-tree/serial-number" || true; }

# new_name: laneware- and the end of the board's serial number; on a board without one, of the machine's id.
new_name() {
  local id
  id=$(board_serial)
  [ -n "$id" ] || id=$(cat "$ROOT/etc/machine-id" 2>/dev/null || true)
  [ "${#id}" -ge 8 ] || id=$(od -An -N 4 -t x4 /dev/urandom | tr -d ' ')
  printf 'laneware-%s' "${id: -8}"
}

mkdir -p "$CONFIG_DIR" "$ROOT/etc/credstore"

# An image for a network is made with this word in place of a token: each board makes up its own. It comes before all else,
# for everybody knows that word; and until this script has succeeded, the device does not start.
config=$CONFIG_DIR/config.json
if grep -q '"token": "made-at-first-boot"' "$config" 2>/dev/null; then
  token=$(od -An -N 16 -t x1 /dev/urandom | tr -d ' \n')
  sed "s/\"token\": \"made-at-first-boot\"/\"token\": \"$token\"/" "$config" | durable_write "$config"
fi

name=$(new_name)
old=$(cat "$ROOT/etc/hostname" 2>/dev/null || echo raspberrypi)
printf '%s\n' "$name" | durable_write "$ROOT/etc/hostname"
if grep -q "^127\.0\.1\.1" "$ROOT/etc/hosts" 2>/dev/null; then
  sed "s/^127\.0\.1\.1.*/127.0.1.1\t$name/" "$ROOT/etc/hosts" | durable_write "$ROOT/etc/hosts"
else
  { cat "$ROOT/etc/hosts" 2>/dev/null || true; printf '127.0.1.1\t%s\n' "$name"; } | durable_write "$ROOT/etc/hosts"
fi
[ -n "$ROOT" ] || hostname "$name"

(umask 077 && head -c 32 /dev/urandom | durable_write "$ROOT/etc/credstore/laneware-key")

# The last step: with this file the identity is complete and stays.
printf 'name=%s\nformerly=%s\n' "$name" "$old" | durable_write "$CONFIG_DIR/identity"
