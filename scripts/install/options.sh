#!/usr/bin/env bash
# Takes the settings that somebody has put on the boot partition for this board, laneware.txt, and removes the file: Wi-Fi, time
# zone, a key for ssh, tokens, the master of the store. Runs before everything else at each start where the file is
# (laneware-options.service); cut off at any point it does no harm when it is repeated. What is wrong with a setting, or fails,
# is written to laneware-errors.txt beside it and reported in /health, and the others hold nevertheless. Anybody with the card
# can write the file: nothing in it is executed, and no problem repeats a value. It takes no arguments, and does nothing where it is
# not the script of an installed release.
set -euo pipefail

PROGRAM=options
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say paths units security-updates boot-files zone board options-file radio remote-shell read-only
offer_help "$@"
[ $# -eq 0 ] || usage
only_on_device

readonly ERRORS=laneware-errors.txt HANDED_OVER=handed-over.json
readonly MADE=$CONFIG_DIR/$HANDED_OVER

# set_variables NAME=VALUE…: sets keys of the configuration, which then override its file; all of them or none. They may be tokens.
set_variables() {
  local file=$CONFIG_DIR/environment each names=()
  for each; do names+=(-e "^${each%%=*}="); done
  mkdir -p "$CONFIG_DIR"
  (umask 077 && { [ ! -f "$file" ] || grep -v "${names[@]}" "$file" || true; printf '%s\n' "$@"; } | durable_write "$file")
}

listen() { # network|device
  local host=127.0.0.1 claim=()
  [ "$1" != network ] || host=0.0.0.0 claim=(LANEWARE_API_CLAIM=true) # else no caller would have access, or every caller
  set_variables "LANEWARE_TERMINAL_HOST=$host" "LANEWARE_RECOGNITION_HOST=$host" "${claim[@]}"
}

set_learn_button() { # GPIO
  local file
  set_variables LANEWARE_GPIO_DRIVER=onoff "LANEWARE_GPIO_LEARNBUTTON=$1"
  if file=$(boot_file config.txt) && ! is_set '[all]' "^gpio=$1=ip,pu\$" "$file"; then
    rewrite "$file" with_setting "gpio=$1=ip,pu"
  fi
}

set_security_updates() { # yes|no
  if [ "$1" = yes ]; then
    ! root_in_memory || impossible 'cannot be: the root of this card is read-only, and no update would stay'
    has_apt || impossible 'needs apt, which this system does not have'
  fi
  turn_security_updates "$1"
}

# apply_options: each may be repeated.
apply_options() {
  local name=${OPTIONS[HOSTNAME]:-} country=${OPTIONS[WIFI_COUNTRY]:-}
  apply HOSTNAME set_name "${name,,}"
  apply TIMEZONE set_zone "${OPTIONS[TIMEZONE]:-}"
  apply WIFI_COUNTRY set_country "${country^^}"
  apply WIFI_SSID connect_wifi "${OPTIONS[WIFI_SSID]:-}" "${OPTIONS[WIFI_PASSWORD]:-}" "${OPTIONS[WIFI_HIDDEN]:-no}"
  if [ -n "${OPTIONS[WIFI_SSID]:-}" ]; then apply WIFI_SSID switch_radio_on; else apply WIFI_COUNTRY switch_radio_on; fi
  apply SSH_KEY open_shell "${OPTIONS[SSH_KEY]:-}"
  apply LISTEN listen "${OPTIONS[LISTEN]:-}"
  apply SECURITY_UPDATES set_security_updates "${OPTIONS[SECURITY_UPDATES]:-}"
  apply LEARN_BUTTON set_learn_button "${OPTIONS[LEARN_BUTTON]:-}"
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

# hand_over: gives tokens, master and problems to the device, which seals secrets. Its folder belongs to its own user, so the file
# is made elsewhere, and moved there by one rename, which follows no link.
hand_over() {
  mkdir -p "$DATA" "$CONFIG_DIR"
  trap 'rm -f -- "$MADE"' EXIT
  (umask 077 && handed_over | durable_write "$MADE")
  chown --reference "$DATA" "$MADE"
  mv -T "$MADE" "$DATA/$HANDED_OVER"
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
  dd if=/dev/zero of="$1" bs="$(stat -c %s "$1")" count=1 conv=notrunc,fsync status=none || warn "$1 cannot be overwritten: it is only removed"
  rm -f -- "$1" && sync -f "$(dirname "$1")"
}

# What /health and the file of errors can hold; a file that is no list of settings has as many problems as lines.
readonly MOST_PROBLEMS=50
shorten_problems() {
  local more=$((${#OPTION_PROBLEMS[@]} - MOST_PROBLEMS))
  ((more <= 0)) || OPTION_PROBLEMS=("${OPTION_PROBLEMS[@]:0:MOST_PROBLEMS}" "$more more")
}

# read_file FILE: reads the settings. A file that is too long, or damaged, is refused as a whole.
read_file() {
  local text
  if [ "$(stat -c %s "$1")" -gt "$OPTIONS_LIMIT_BYTES" ]; then
    OPTION_PROBLEMS+=('is longer than 16 KB: nothing of it was taken')
  elif ! text=$(whole_text "$1"); then
    OPTION_PROBLEMS+=('is no whole text: nothing of it was taken; write it anew, and eject the card before it is pulled out')
  else
    read_options <<<"$text"
    judge_options
  fi
}

# apply_file FILE: what fails ends nothing else. FAILED is what a person who has only the log must know.
FAILED=''
apply_file() {
  local key
  read_file "$1"
  apply_options
  shorten_problems
  alone hand_over
  ((CODE == 0)) || FAILED='nothing can be handed to the device'
  [ -n "$FAILED" ] || { write_problems "$(dirname "$1")" || FAILED="$ERRORS cannot be written"; return; }
  # without the data partition this file is the only copy: it stays
  ! keeps_nothing || fail "$EXIT_FAILED" "$file waits for the data partition: what holds for this start is applied"
  for key in TOKEN TILL_TOKEN MASTER; do [ -z "${OPTIONS[$key]:-}" ] || problem "$key" "was not taken: $FAILED"; done
  write_problems "$(dirname "$1")" || FAILED="$FAILED, and $ERRORS cannot be written"
}

file=$(options_file) || exit 0
trap close_boot EXIT
open_boot "$(dirname "$file")" || fail "$EXIT_FAILED" "$file cannot be taken: the boot partition cannot be written to"
is_wiped "$file" || apply_file "$file"
# in every other case the file goes, and its secrets with it
if [ -s "$file" ]; then wipe "$file" || FAILED="$file cannot be wiped"; else rm -f -- "$file"; fi
[ ${#OPTION_PROBLEMS[@]} -eq 0 ] || warn "of $file was not taken: ${OPTION_PROBLEMS[*]}"
[ -z "$FAILED" ] || fail "$EXIT_FAILED" "$FAILED"
