#!/usr/bin/env bash
# Updates an installed device. Needs nothing of the release that runs: bash, coreutils, tar, gzip, curl, openssl, systemd.
#
#   ota.sh check                        is there a newer release?
#   ota.sh update [--from FILE|URL] [--dry-run] [--retry] [--allow-downgrade] [--allow-expired]
#              [--insecure]             --insecure takes a source over plain HTTP
#              [--when-closed]          only in the hours in which the shop is closed (the timer says so)
#   ota.sh rollback                     back to the release before this one
#   ota.sh status
#   ota.sh recover [--boot]             end an update that was cut short   (systemd calls it)
#   ota.sh rescue                       a device that cannot stay up       (systemd calls it)
#   ota.sh ended                        the device has ended               (systemd calls it)
#
# Ends with 0 done, 1 failed, 2 usage, 3 nothing new, 4 not now (a payment is open, another update runs), 5 refused,
# 6 the new release did not prove itself and the old one runs again.
# Settings: /etc/laneware/update.conf. The way of an update: scripts/lib/update.sh; what undoes it: scripts/lib/way-back.sh.
set -euo pipefail
umask 022 # the device must be able to read what is installed, also where the technician's shell has a stricter umask

PROGRAM=ota
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say paths hostile keys releases release-file service reach update-state fetch validity closed-hours judge proving obtain trial way-back update
offer_help "$@"

print_status() {
  local state name
  state=$(state_now)
  load_replaced || true
  printf 'answers    %s\n' "$(version_on terminal || echo 'nothing')"
  printf 'current    %s\ngood       %s\nprevious   %s\nleft       %s\n' "$(linked current)" "$(linked good)" "$(linked previous)" "$(linked left)"
  printf 'keys       %s (statement %d)\n' "$(names_of_keys)" "$KEYS_NUMBER"
  printf 'closed     %s\n' "$(printable "$(closed_hours)")"
  printf 'update     %s\n' "${state:-idle}"
  printf 'last       %s\n' "$(printable "$(value_of outcome "$UPDATE_DIR/state")")"
  for name in "$UPDATE_DIR"/failures/*; do
    [ -e "$name" ] && printf 'failed     %s: %s\n' "${name##*/}" "$(printable "$(value_of reason "$name")")"
  done
  return 0
}

FROM='' LOOK_ONLY='' RETRY='' DOWNGRADE='' ALLOW_EXPIRED='' INSECURE='' WHEN_CLOSED='' BOOT=''
[ $# -gt 0 ] || usage
COMMAND=$1
shift
while [ $# -gt 0 ]; do
  case $1 in
    --from) FROM=${2:?--from needs a file or an address}; shift ;;
    --dry-run) LOOK_ONLY=1 ;;
    --retry) RETRY=1 ;;
    --allow-downgrade) DOWNGRADE=1 ;;
    --allow-expired) ALLOW_EXPIRED=1 ;;
    --insecure) INSECURE=1 ;;
    --when-closed) WHEN_CLOSED=1 ;;
    --boot) BOOT=1 ;;
    --quiet) QUIET=1 ;;
    *) usage "$1 is no option" ;;
  esac
  shift
done

[ -n "$ROOT" ] || [ "$(id -u)" -eq 0 ] || fail "$EXIT_FAILED" "must be run as root: sudo laneware-ota $COMMAND"
case $COMMAND in
  check) lock_updates 0; LOOK_ONLY=1; trap 'rm -rf -- "${HEAD_DIR:-}"' EXIT; find_release; say "$(linked current) runs, $VERSION is there." ;;
  update) lock_exclusively; recover; update ;;
  rollback) lock_updates 0; recover; go_back_by_hand ;;
  status) print_status ;;
  recover) lock_updates 60; recover ;;
  rescue) lock_updates "$WAY_BACK_SECONDS"; rescue ;;
  ended) unless_locked; ended ;;
  *) usage "$COMMAND is no command" ;;
esac
