#!/usr/bin/env bash
# Takes the settings that somebody has put on the boot partition for this board, laneware.txt, and removes the file: Wi-Fi, time
# zone, a key for ssh, tokens, the master of the store. Runs before everything else at each start where the file is
# (laneware-options.service); cut off at any point it does no harm when it is repeated. What is wrong with a setting is written
# to laneware-errors.txt beside it and reported in /health, and the others hold nevertheless. It takes no arguments, and does
# nothing where it is not the script of an installed release.
set -euo pipefail

PROGRAM=options
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/lib/load.sh" say paths units security-updates serial-console zone board options-file radio remote-shell read-only
offer_help "$@"
[ $# -eq 0 ] || usage
only_on_device

readonly ERRORS=laneware-errors.txt HANDED_OVER=handed-over.json

# set_variable NAME VALUE: a key of the configuration, over what its file says, which may hold tokens.
set_variable() {
  local file=$CONFIG_DIR/environment
  (umask 077 && { [ ! -f "$file" ] || grep -v "^$1=" "$file" || true; printf '%s=%s\n' "$1" "$2"; } | durable_write "$file")
}

listen() { # network|device
  local host=127.0.0.1
  [ "$1" != network ] || host=0.0.0.0
  set_variable LANEWARE_TERMINAL_HOST "$host"
  set_variable LANEWARE_RECOGNITION_HOST "$host"
  [ "$1" != network ] || set_variable LANEWARE_API_CLAIM true # else no caller would have access, or every caller
}

set_learn_button() { # GPIO
  local file
  set_variable LANEWARE_GPIO_DRIVER onoff
  set_variable LANEWARE_GPIO_LEARNBUTTON "$1"
  if file=$(boot_file config.txt) && ! is_set '[all]' "^gpio=$1=ip,pu\$" "$file"; then
    rewrite "$file" with_setting "gpio=$1=ip,pu"
  fi
}

set_security_updates() { # yes|no
  if [ "$1" = yes ] && root_in_memory; then
    problem SECURITY_UPDATES 'cannot be: the root of this card is read-only, and no update would stay'
    return
  fi
  turn_security_updates "$1" || problem SECURITY_UPDATES 'needs apt, which this system does not have'
}

# apply_options: each may be repeated. A problem of one is reported, and ends no other.
apply_options() {
  local value
  [ -z "${OPTIONS[HOSTNAME]:-}" ] || set_name "${OPTIONS[HOSTNAME],,}"
  [ -z "${OPTIONS[TIMEZONE]:-}" ] || set_zone "${OPTIONS[TIMEZONE]}"
  value=${OPTIONS[WIFI_SSID]:-}
  [ -z "${OPTIONS[WIFI_COUNTRY]:-}" ] || set_country "${OPTIONS[WIFI_COUNTRY]^^}"
  [ -z "$value" ] || connect_wifi "$value" "${OPTIONS[WIFI_PASSWORD]:-}" "${OPTIONS[WIFI_HIDDEN]:-no}"
  [ -z "$value${OPTIONS[WIFI_COUNTRY]:-}" ] || switch_radio_on
  [ -z "${OPTIONS[SSH_KEY]:-}" ] || open_shell "${OPTIONS[SSH_KEY]}"
  [ -z "${OPTIONS[LISTEN]:-}" ] || listen "${OPTIONS[LISTEN]}"
  [ -z "${OPTIONS[SECURITY_UPDATES]:-}" ] || set_security_updates "${OPTIONS[SECURITY_UPDATES]}"
  [ -z "${OPTIONS[LEARN_BUTTON]:-}" ] || set_learn_button "${OPTIONS[LEARN_BUTTON]}"
}

# quoted TEXT: of JSON. What comes here holds no quote, backslash or control character: it was judged before.
quoted() { printf '"%s"' "$1"; }
or_null() { if [ -n "$1" ]; then quoted "$1"; else printf null; fi; }

handed_over() {
  local each sep='' master=${OPTIONS[MASTER]:-} port=7443
  printf '{"tokens":{"technician":%s,"till":%s},' "$(or_null "${OPTIONS[TOKEN]:-}")" "$(or_null "${OPTIONS[TILL_TOKEN]:-}")"
  if [[ $master == *:* ]]; then port=${master##*:} master=${master%:*}; fi
  if [ -n "$master" ]; then
    printf '"master":{"host":%s,"port":%s,"code":%s},' "$(quoted "$master")" "$port" "$(quoted "${OPTIONS[PAIRING_CODE]}")"
  else printf '"master":null,'; fi
  printf '"problems":['
  for each in "${OPTION_PROBLEMS[@]}"; do
    printf '%s%s' "$sep" "$(quoted "laneware.txt, $each")"
    sep=,
  done
  printf ']}\n'
}

# hand_over: to the device, which has a key to keep secrets with. Its folder is its user's: the file is made elsewhere, and
# put there by one rename, which follows nothing.
hand_over() {
  local made=$CONFIG_DIR/$HANDED_OVER
  mkdir -p "$DATA"
  (umask 077 && handed_over | durable_write "$made")
  chown --reference "$DATA" "$made"
  mv -T "$made" "$DATA/$HANDED_OVER"
  sync "$DATA"
}

# write_problems FOLDER: for the person who puts the card into a computer again, with line ends that any editor reads.
write_problems() {
  if [ ${#OPTION_PROBLEMS[@]} -eq 0 ]; then rm -f -- "$1/$ERRORS"; else
    printf '%s\r\n' 'These settings of laneware.txt were not taken:' "${OPTION_PROBLEMS[@]}" | durable_write "$1/$ERRORS"
  fi
}

# wipe FILE: its bytes first, then its name, as far as a card obeys.
wipe() {
  dd if=/dev/zero of="$1" bs="$(stat -c %s "$1")" count=1 conv=notrunc,fsync status=none
  rm -f -- "$1"
  sync -f "$(dirname "$1")"
}

# is_wiped TEXT: nothing is left of a file that was taken before the power went.
is_wiped() { [ -z "$1" ] && [ -s "$file" ]; }

file=$(options_file) || exit 0
trap close_boot EXIT
open_boot "$(dirname "$file")" || fail "$EXIT_FAILED" "$file cannot be taken: the boot partition cannot be written to"
mkdir -p "$CONFIG_DIR"
text=$(plain_text "$file")
if ! is_wiped "$text"; then
  [ "$(stat -c %s "$file")" -le "$OPTIONS_LIMIT_BYTES" ] || OPTION_PROBLEMS+=('is too long: what is beyond 16 KB was not read')
  read_options <<<"$text"
  judge_options
  apply_options
  hand_over
  write_problems "$(dirname "$file")"
fi
if [ -s "$file" ]; then wipe "$file"; else rm -f -- "$file"; fi
[ ${#OPTION_PROBLEMS[@]} -eq 0 ] || warn "of $file was not taken: ${OPTION_PROBLEMS[*]}"
