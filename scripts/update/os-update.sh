#!/usr/bin/env bash
# Installs the security updates of the system with unattended-upgrades, which it fetches where it is not there. Restarts the
# machine where they need it and no payment is open. Nothing of Laneware is touched: it brings its own Node, and its releases.
#
#   os-update.sh [--when-closed]    --when-closed: only in the hours in which the shop is closed (the timer says so), and
#                                   restarts the machine; else a person restarts it
#
# Ends with 0 done, 1 failed, 2 usage, 3 done tonight already, 4 not now (the shop or a payment is open, a release is installed).
# `install.sh --security-updates` or SECURITY_UPDATES=yes of laneware.txt switches the timer on.
set -euo pipefail

PROGRAM=os-update
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say paths hostile releases service update-state validity closed-hours read-only
offer_help "$@"

# Time limit where no closed hours set one. unattended-upgrade ends after the package that it is installing.
readonly LONGEST_SECONDS=7200

LOOKED=$RUN_DIR/looked-for-system PUT_OFF='' WHEN_CLOSED=''
while [ $# -gt 0 ]; do
  case $1 in
    --when-closed) WHEN_CLOSED=1 ;;
    *) usage "$1 is no option" ;;
  esac
  shift
done
[ -n "$ROOT" ] || [ "$(id -u)" -eq 0 ] || fail "$EXIT_FAILED" 'must be run as root'
only_on_device
! root_in_memory || refuse 'the root of this card is read-only, and no update would stay: docs/technician.md says how it is maintained'

# in_time COMMAND…: runs it, asks it to end where the hours are over, and waits for it. Only the command itself is asked, not the
# package tool that it has started.
in_time() {
  local seconds
  seconds=$(seconds_to_wait "$LONGEST_SECONDS")
  ((seconds > 0)) || fail "$EXIT_NOT_NOW" 'the hours in which the shop is closed are over'
  timeout --foreground --signal=TERM "$seconds" "$@"
}

# no_release_between: an update of the device has its own gate, which must not see its system change.
no_release_between() {
  lock_exclusively
  [ "$(state_now)" = idle ] || [ -z "$(state_now)" ] || fail "$EXIT_NOT_NOW" 'a release is being installed: put off'
}

fetch_program() {
  command -v unattended-upgrade >/dev/null && return
  say 'Installing unattended-upgrades'
  in_time apt-get --quiet --quiet --yes --no-install-recommends install unattended-upgrades ||
    fail "$EXIT_FAILED" 'unattended-upgrades is not installed and cannot be fetched: connect the network, or apt-get install unattended-upgrades'
}

install_updates() {
  export DEBIAN_FRONTEND=noninteractive
  in_time apt-get --quiet --quiet update ||
    fail "$EXIT_FAILED" 'the lists of packages cannot be fetched: is the network connected?'
  fetch_program
  in_time unattended-upgrade || fail "$EXIT_FAILED" 'unattended-upgrade has failed or was out of time: /var/log/unattended-upgrades says more'
  printf 'at=%d\n' "$(date +%s)" | durable_write "$UPDATE_DIR/system"
}

# restart_machine: only in the closed hours, and never before a payment that is open; then the next look tries again.
restart_machine() {
  if [ -z "$WHEN_CLOSED" ]; then
    say 'Some of it holds from the next start of the machine on.'
    return
  fi
  lock_exclusively
  until_no_payment "$(seconds_to_wait "$(seconds_of payment_wait_seconds 600)")" || fail "$EXIT_NOT_NOW" "$WHY: the machine is started anew later"
  require_closed
  say 'Restarting the machine.'
  systemctl reboot
}

[ -z "$WHEN_CLOSED" ] || judge_hours
no_release_between
exec 9>&- # a device that is ill must not wait for packages
install_updates
if [ -e "$ROOT/run/reboot-required" ]; then restart_machine; fi
[ -z "$WHEN_CLOSED" ] || record_look
say 'The security updates of the system are installed.'
