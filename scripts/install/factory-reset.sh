#!/usr/bin/env bash
# Makes the device as on its first day: what it learnt, its bank settings and the key that sealed them are gone. The records of
# payments and the audit trail are somebody's accounts: they are put aside, within the folder of the data, without a question:
# those are answered by habit. Settings of the installer (/etc/laneware), the release, and what lies on a second medium stay.
# systemd starts it (laneware-factory-reset.service) after it has stopped the device, and starts the device when this has ended.
# It takes no arguments, and does nothing while the device runs or where it is not the script of an installed release.
set -euo pipefail

PROGRAM=factory-reset
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say paths hostile service update-state
offer_help "$@"
[ $# -eq 0 ] || usage
only_on_device

open_lock
flock --nonblock 9 || fail "$EXIT_NOT_NOW" 'an update is on its way: nothing was reset'
state=$(state_now)
[ "${state:-idle}" = idle ] || fail "$EXIT_NOT_NOW" 'an update was cut short and has not ended yet: nothing was reset'

is_stopped || fail "$EXIT_NOT_NOW" 'the device runs: nothing was reset; systemctl start laneware-factory-reset stops it first'

readonly KEPT=$DATA/kept

# The key first: from here on what was sealed cannot be opened, even if the power goes before the rest is gone.
rm -f -- "$ROOT/etc/credstore/laneware-key"
(umask 077 && head -c 32 /dev/urandom | durable_write "$ROOT/etc/credstore/laneware-key")
# put_aside: moves these records by renames on one file system, so that each file is here or there whenever the power goes, and a
# full disk hinders nothing. A link that the device's own user has put in the place of the folder is removed, not followed.
put_aside() {
  local each aside=''
  if [ ! -d "$KEPT" ] || [ -L "$KEPT" ]; then
    rm -f -- "$KEPT"
    mkdir -m 0700 -- "$KEPT"
  fi
  for each in "$DATA"/money* "$DATA"/audit*; do
    [ -e "$each" ] || [ -L "$each" ] || continue
    [ ! -L "$each" ] || continue
    [ -n "$aside" ] || aside=$(mktemp -d "$KEPT/$(date --utc +%Y-%m-%dT%H%M%SZ)-XXXX")
    mv -T -- "$each" "$aside/${each##*/}"
  done
  [ -z "$aside" ] || { sync -f "$aside" && say "The records of payments and the audit trail are in $aside"; }
}
[ ! -d "$DATA" ] || put_aside
[ ! -d "$DATA" ] || find "$DATA" -mindepth 1 -not -path "$KEPT" -not -path "$KEPT/*" -delete
[ ! -d "$COMPILED" ] || find "$COMPILED" -mindepth 1 -delete
sync -f "$DATA"
say 'The device is as new.'
