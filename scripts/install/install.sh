#!/usr/bin/env bash
# Installs Laneware on this machine (Raspberry Pi OS or Debian, systemd), or into the files of one that does not run.
#
#   install.sh --release FILE --key KEY.pub.pem   installs, or brings what is installed into order; may be repeated
#     --listen-lan                                the till and the scale are other machines; needs one of:
#     --token TOKEN | --new-token                   what they must send, 16 characters or more; --new-token makes one up
#     --claim                                     a code on the display makes the technician's token, /claim of port 8080
#     --allow NETWORK                               who they may be, as 192.168.1.0/24; may be repeated. Without a token
#                                                   anybody there may do what a till does, refunds included
#     --camera libcamera|push|none|…              where pictures come from (default: libcamera)
#     --source ADDRESS                            where new releases are looked for at night: https://…/, or a file
#     --timezone ZONE                             as Europe/Moscow (default: what the system has)
#     --closed FROM-TO                            when the shop is closed, as 23:00-05:00, or any: new releases are
#                                                   installed in these hours (default: 22:00-06:00)
#     --security-updates                          those of the system are installed in these hours too, which may start the
#                                                   machine anew (default: off; SECURITY_UPDATES=no of laneware.txt ends it)
#     --insecure                                  takes a source over plain HTTP too
#     --allow-expired                             takes a release whose time is over
#     --keep-console                              leaves a login console on the UART
#     --root FOLDER [--machine aarch64]           into a system that is mounted there, which is not started
#   install.sh --check                            what is missing on this board, before and after; ends with 1 where
#                                                   a lane needs it
#   install.sh --uninstall [--purge]              removes the program; --purge the data and the settings too
#
# Settings that are there are never overwritten: /etc/laneware/config.json, /etc/laneware/update.conf.
set -euo pipefail
umask 022 # the device must be able to read what is installed, also where the technician's shell has a stricter umask

PROGRAM=install
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say
offer_help "$@"

ROOT=${LANEWARE_ROOT:-}
RELEASE='' KEY='' LISTEN_LAN='' TOKEN='' CLAIM='' ALLOW=() CAMERA=libcamera SOURCE_OF_RELEASES='' KEEP_CONSOLE='' PURGE='' ACTION=install ZONE='' CLOSED='' SECURITY_UPDATES=''
BOOT='' FROM='' RETRY='' DOWNGRADE='' ALLOW_EXPIRED='' INSECURE='' WHEN_CLOSED=''

while [ $# -gt 0 ]; do
  case $1 in
    --release) RELEASE=${2:?--release needs a file}; shift ;;
    --key) KEY=${2:?--key needs a file}; shift ;;
    --listen-lan) LISTEN_LAN=1 ;;
    --token) TOKEN=${2:?--token needs a word}; shift ;;
    --new-token) TOKEN=new ;;
    --claim) CLAIM=1 ;;
    --allow) ALLOW+=("${2:?--allow needs a network}"); shift ;;
    --camera) CAMERA=${2:?--camera needs a driver}; shift ;;
    --source) SOURCE_OF_RELEASES=${2:?--source needs an address}; shift ;;
    --timezone) ZONE=${2:?--timezone needs a name}; shift ;;
    --closed) CLOSED=${2:?--closed needs hours}; shift ;;
    --security-updates) SECURITY_UPDATES=1 ;;
    --allow-expired) ALLOW_EXPIRED=1 ;;
    --insecure) INSECURE=1 ;;
    --keep-console) KEEP_CONSOLE=1 ;;
    --root) ROOT=$(readlink -f "${2:?--root needs a folder}"); shift ;;
    --machine) LANEWARE_MACHINE=${2:?--machine needs a name}; shift ;;
    --check) ACTION=check ;;
    --uninstall) ACTION=uninstall ;;
    --purge) PURGE=1 ;;
    *) usage "$1 is no option" ;;
  esac
  shift
done

LANEWARE_ROOT=$ROOT
. "$HERE/../lib/load.sh" paths choices hostile keys releases release-file service update-state fetch validity closed-hours judge obtain way-back update units security-updates boot-files serial-console memory-limit zone read-only check

# is_network TEXT: an address, or one with the bits of its network. The device does not start with anything else.
is_network() {
  local octet='(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])'
  [[ $1 =~ ^$octet(\.$octet){3}(/(3[0-2]|[12]?[0-9]))?$ ]] && return
  # the system knows the many ways to write an address of version 6
  [[ $1 =~ ^([0-9a-fA-F:.]*:[0-9a-fA-F:.]*)(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?$ ]] && getent ahostsv6 "${BASH_REMATCH[1]}" >/dev/null
}

# judge_fence: without a token the list of networks is all that keeps strangers out. No shop has a network of its own that is wider than
# 10.0.0.0/8 or fc00::/7 (firmware/core/config/checks.ts).
judge_fence() {
  local network least bits
  for network in "${ALLOW[@]}"; do
    [[ $network == */* ]] || continue
    least=8 bits=${network##*/}
    [[ $network != *:* ]] || least=7
    [[ ! $bits =~ ^[0-9]{1,3}$ ]] || ((10#$bits >= least)) ||
      fail "$EXIT_REFUSED" "--allow $network lets in everybody, who could redirect the payments: add --token, --new-token or --claim, or name the network of the shop, as 192.168.1.0/24"
  done
}

judge_options() {
  if [ -z "$RELEASE" ] || [ -z "$KEY" ]; then usage 'needs --release and --key'; fi
  [[ " ${LANE_CAMERAS[*]} " == *" $CAMERA "* && $CAMERA != *" "* ]] || usage "--camera $CAMERA: take one of ${LANE_CAMERAS[*]}"
  if [ -n "$LISTEN_LAN" ] && [ -z "$TOKEN$CLAIM" ] && [ ${#ALLOW[@]} -eq 0 ]; then
    fail "$EXIT_REFUSED" 'listening on the network needs --token, --new-token, --claim or --allow: anyone there could redirect the payments'
  fi
  if [ -n "$LISTEN_LAN" ] && [ -z "$TOKEN$CLAIM" ]; then judge_fence; fi
  [ "$TOKEN" != new ] || TOKEN=$(openssl rand -hex 16)
  if [ -n "$TOKEN" ] && [[ ! $TOKEN =~ ^[A-Za-z0-9._~-]{16,128}$ ]]; then
    fail "$EXIT_REFUSED" 'the token must have 16 to 128 letters, digits, dots, dashes or underscores'
  fi
  if [ -n "$SECURITY_UPDATES" ] && root_in_memory; then
    refuse '--security-updates: the root of this card is read-only, and no update would stay'
  fi
  judge_source "$SOURCE_OF_RELEASES"
  [ -z "$ZONE" ] || is_zone "$ZONE" || refuse "$ZONE is no time zone of this system: ls $ROOT$ZONE_FOLDER names them, as Europe/Moscow"
  [ -z "$CLOSED" ] || are_hours "$CLOSED" || refuse "--closed $CLOSED names no hours: $WHAT_HOURS_ARE"
  local network
  for network in "${ALLOW[@]}"; do
    is_network "$network" || refuse "$network is no network; write it as 192.168.1.0/24"
  done
}

readonly RELEASE_LIMIT_BYTES=2147483648
readonly PLAYER_LIMIT_S=120

# copy_release: of the release and the key, in a folder of root's own. They may lie where somebody else writes, and what was
# judged must be what is installed: nothing but the copies is looked at from here on.
copy_release() {
  local bytes why
  rm -rf -- "$UPDATE_DIR"/install.* # of an installation that was cut short
  WORK=$(mktemp -d "$UPDATE_DIR/install.XXXXXX")
  trap 'rm -rf -- "$WORK"; prune || true' EXIT
  why=$(take "$KEY" "$WORK/key" "$KEY_LIMIT_BYTES" 2>&1) || fail "$EXIT_FAILED" "cannot read $KEY: $why"
  bytes=$(stat -L -c %s -- "$RELEASE" 2>/dev/null) || bytes=0
  (($(free_bytes "$UPDATE_DIR") > bytes + SPACE_MARGIN_BYTES)) ||
    refuse "not enough space in $UPDATE_DIR: $((bytes >> 20)) MB are needed for a copy of the release"
  why=$(take "$RELEASE" "$WORK/release" "$RELEASE_LIMIT_BYTES" 2>&1) ||
    fail "$EXIT_FAILED" "cannot read $RELEASE: $why"
  mkdir "$WORK/trust"
  fetch_statements "$RELEASE" "$WORK/statements"
}

# judge_release: whether the release may be installed. Only then the key becomes trusted.
judge_release() {
  local key device_keys=$KEYS
  key=$(key_in "$WORK/key") || refuse "$KEY is no public key (bundle.sh --new-key makes KEY.pub.pem)"
  know_keys
  # where this device trusts the key already, any trusted key may have signed the release; a new key must have signed it itself
  mkdir "$WORK/keys"
  if are_trusted "$key"; then cp -RT -- "$KEYS" "$WORK/keys"
  elif [ -e "$KEYS/replaced" ]; then cp -- "$KEYS/replaced" "$WORK/keys"; fi
  ! is_replaced "$key" || refuse "the key in $KEY was replaced on this device (statement $KEYS_NUMBER): take the one of today"
  read_head "$WORK/release" "$WORK" || refuse "$RELEASE is no Laneware release"
  KEYS=$WORK/keys
  trust "$key"
  signed_by_us "$WORK" || refuse "$RELEASE is not signed with the key in $KEY"
  judge_head "$WORK"
  KEYS=$device_keys
  judge_board
  if [ -n "$(linked good)" ] && is_newer "$(linked good)" "$VERSION"; then
    refuse "$(linked good) is installed, which is newer than $VERSION"
  fi
  [ "$(linked good)" = "$VERSION" ] || judge_validity
  record_time
  trust "$key"
}

# trust KEY: from now on, and follow the statements beside the release and in it.
trust() {
  know_keys
  put_key "$1"
  follow_statements "$WORK/statements" "$WORK/trust"
  follow_carried_statements "$WORK"
}

# put_release: unpacks the release beside others and makes it the one that is good. What fails or is broken off leaves nothing.
put_release() {
  copy_release
  judge_release
  if [ "$(linked good)" != "$VERSION" ] || ! whole "$VERSION"; then unpack_release; fi
  trap - EXIT
  rm -rf -- "$WORK"
}

unpack_release() {
  PART=$WORK/release
  judge_space "$PAYLOAD_SIZE"
  proven "$PART" || refuse "$RELEASE is damaged"
  say "Unpacking $VERSION"
  unpack
  if [ -n "$(linked good)" ] && [ "$(linked good)" != "$VERSION" ]; then relink previous "$(linked good)"; fi
  relink good "$VERSION"
  relink current "$VERSION"
  prune
}

# filled TEMPLATE NAME VALUE…: the template with each value in the place of @NAME@; a value may hold any sign.
filled() {
  local text
  text=$(<"$HERE/../lib/$1")
  shift
  while [ $# -gt 0 ]; do
    text=${text//"@$1@"/"$2"}
    shift 2
  done
  printf '%s\n' "$text"
}

put_settings() {
  local host=127.0.0.1 token=null claim=false allow=''
  [ -z "$LISTEN_LAN" ] || host=0.0.0.0
  [ -z "$TOKEN" ] || token="\"$TOKEN\""
  [ -z "$CLAIM" ] || claim=true
  [ ${#ALLOW[@]} -eq 0 ] || allow=$(printf ', "%s"' "${ALLOW[@]}")
  if [ ! -e "$CONFIG_DIR/config.json" ]; then
    filled config.template HOST "$host" CAMERA "$CAMERA" TOKEN "$token" CLAIM "$claim" ALLOW "${allow#, }" |
      durable_write "$CONFIG_DIR/config.json"
    say "Settings: $CONFIG_DIR/config.json"
    if [ -n "$TOKEN" ]; then say "Token that the till and the scale must send: $TOKEN"; fi
  elif [ -n "$LISTEN_LAN$TOKEN$CLAIM${ALLOW[*]}" ]; then
    say "$CONFIG_DIR/config.json is kept as it is: put into it what you have asked for, then: systemctl restart laneware"
  fi
  if [ ! -e "$CONFIG_DIR/update.conf" ]; then
    filled update.template SOURCE "$SOURCE_OF_RELEASES" INSECURE "${INSECURE:+yes}" \
      CLOSED "${CLOSED:-$DEFAULT_CLOSED}" | durable_write "$CONFIG_DIR/update.conf"
  elif [ -n "$SOURCE_OF_RELEASES$CLOSED" ]; then
    say "$CONFIG_DIR/update.conf is kept as it is: put the source and the closed hours into it"
  fi
  say "Time zone: $(zone_name) (--timezone). Updates come from $(closed_hours), its time (closed= in $CONFIG_DIR/update.conf)."
}

make_users_and_folders() {
  local rules
  rules=$LANEWARE/releases/$(linked good)/systemd
  systemd-sysusers ${ROOT:+--root="$ROOT"} - <"$rules/sysusers.conf"
  systemd-tmpfiles ${ROOT:+--root="$ROOT"} --create - <"$rules/tmpfiles.conf" || warn 'not every folder could be made'
}

start() {
  # activates the board's watchdog (system.conf.d), and reads the units
  systemctl daemon-reexec
  systemctl restart systemd-journald.service || warn 'the limits of the log hold from the next start on'
  if udevadm control --reload 2>/dev/null; then udevadm trigger --subsystem-match=tty --subsystem-match=video4linux; fi
  systemctl start laneware-update.timer laneware-claim.path
  restart_service && return
  print_last_words >&2
  fail "$EXIT_FAILED" 'the device does not start: mend what its last words name, then: systemctl restart laneware'
}

print_last_words() {
  local line
  while IFS= read -r line; do printf '  %s\n' "$(printable "$line")"; done \
    < <(journalctl --quiet --no-pager --output cat --lines 5 _SYSTEMD_UNIT="$SERVICE")
}

is_pi() { [ -n "$ROOT" ] || [[ $(board_names) == *raspberrypi* ]]; }

# install_player: the program that plays the voice, which Raspberry Pi OS has already. The device runs without it, too.
install_player() {
  if has aplay >/dev/null || ! has apt-get >/dev/null; then return; fi
  timeout "$PLAYER_LIMIT_S" apt-get install --quiet --yes --no-install-recommends alsa-utils >/dev/null 2>&1 ||
    warn 'the player of the voice could not be installed: apt-get install alsa-utils, if payments are to be announced'
}

install_device() {
  need "${RELEASE_PROGRAMS[@]}" systemd-sysusers systemd-tmpfiles
  [ -d "$ROOT/etc" ] || refuse "$ROOT holds no system: --root takes the folder where its card is mounted"
  judge_options
  lock_exclusively
  mkdir -p "$LANEWARE/releases" "$CONFIG_DIR" "$KEYS"
  end_repair || fail "$EXIT_FAILED" 'the repair of a release that was cut short cannot be ended'
  put_release
  link_units
  [ -z "$ZONE" ] || set_zone "$ZONE" || warn 'the time zone could not be set'
  put_settings
  make_users_and_folders
  if is_pi && [ -z "$KEEP_CONSOLE" ]; then free_uart; fi
  if is_pi; then limit_memory; fi
  local unit
  for unit in "${ENABLED_UNITS[@]}"; do enable_unit "$unit"; done
  [ -z "$SECURITY_UPDATES" ] || turn_security_updates yes || warn 'this system has no apt: its security updates are not installed'
  if [ -n "$ROOT" ]; then return; fi
  install_player
  [ -e /etc/credstore/laneware-key ] || (umask 077 && head -c 32 /dev/urandom | durable_write /etc/credstore/laneware-key)
  exec 9>&- # laneware-recover takes the lock before the device starts
  start
  say "$(linked good) is installed and runs."
  check_device
}

uninstall() {
  if [ -z "$ROOT" ]; then
    systemctl stop laneware-claim.path laneware-claim.service laneware-update.timer laneware-os-update.timer laneware-update.service laneware-rescue.service laneware.service laneware-master.socket 2>/dev/null || true
  fi
  lock_exclusively
  security_updates_off
  unlink_units
  restore_memory_limit
  restore_console
  forget_changes
  rm -rf -- "$LANEWARE" "$UPDATE_DIR" "$RUN_DIR"
  rmdir -- "$MEDIUM" 2>/dev/null || true # a folder that is mounted or not empty is somebody's
  if [ -n "$PURGE" ]; then rm -rf -- "$DATA" "$COMPILED" "$CONFIG_DIR" "$ROOT/etc/credstore/laneware-key"; fi
  [ -n "$ROOT" ] || systemctl daemon-reload
  if [ -n "$PURGE" ]; then say 'Laneware, its data and its settings are gone.'; else
    say "Laneware is gone; its data ($DATA) and its settings ($CONFIG_DIR) are kept. --uninstall --purge removes them too."
  fi
}

[ "$(id -u)" -eq 0 ] || fail "$EXIT_FAILED" 'must be run as root: sudo install.sh ...'
case $ACTION in
  install) install_device ;;
  check) check_device; [ "$MISSING" -eq 0 ] || exit "$EXIT_FAILED" ;;
  uninstall) uninstall ;;
esac
