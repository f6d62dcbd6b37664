# shellcheck shell=bash
# The settings that somebody has put on the boot partition for a board: KEY=VALUE lines, as any editor of any system writes
# them. They are data: nothing of them is ever run, and no value is repeated in a problem. Sourced.

readonly OPTIONS_LIMIT_BYTES=16384
# What people end up with where their system hides the end of a name.
readonly OPTIONS_NAMES=(laneware.txt laneware.txt.txt)

# The settings by their key; problems with them, a sentence each, and the line that a key was found in.
declare -A OPTIONS=() OPTION_LINES=()
OPTION_PROBLEMS=()

# options_file: the file that is there.
options_file() {
  local name
  for name in "${OPTIONS_NAMES[@]}"; do boot_file "$name" && return; done
  return 1
}

# whole_text FILE: as UTF-8 without a byte order mark and carriage returns; Notepad calls UTF-16 "Unicode". Fails where a part of it was
# lost, or it is no text: half a token is never taken. A shell's text holds no NUL bytes, so they are sought in the file.
whole_text() {
  case $(od -An -N 2 -t x1 "$1" | tr -d ' \n') in
    fffe | feff) iconv --from-code UTF-16 --to-code UTF-8 -- "$1" ;;
    *) [ "$(tr -d '\0' <"$1" | wc -c)" -eq "$(wc -c <"$1")" ] && cat -- "$1" ;;
  esac 2>/dev/null | without_marks
}

without_marks() { sed $'1s/^\xef\xbb\xbf//; s/\r$//'; }

# is_wiped FILE: whether nothing is left of it: it was taken before the power went.
is_wiped() { [ -s "$1" ] && [ "$(tr -d '\0' <"$1" | wc -c)" -eq 0 ]; }

trimmed() {
  local text=$1
  text=${text#"${text%%[![:blank:]]*}"}
  printf '%s' "${text%"${text##*[![:blank:]]}"}"
}

# unquoted TEXT: without the pair of quotes around all of it, which people write out of habit.
unquoted() {
  case $1 in
    \"*\" | \'*\') [ "${#1}" -lt 2 ] || { printf '%s' "${1:1:-1}"; return; } ;;
  esac
  printf '%s' "$1"
}

# problem KEY SENTENCE: reports what is wrong with a setting, and leaves it out.
problem() {
  local line=${OPTION_LINES[$1]:-}
  OPTION_PROBLEMS+=("${line:+line $line: }$1 $2")
  unset "OPTIONS[$1]"
}

# alone COMMAND…: runs it in a shell of its own, which ends at its first failure. Sets CODE, its exit code, and SAID, what it says
# through `impossible`. Not to be called in a condition (`if`, `||`): there bash does not end at a failure.
alone() {
  set +e
  SAID=$(set -e; exec 3>&1 >&2; "$@")
  CODE=$?
  set -e
}

# impossible SENTENCE: ends a command that `alone` runs, with the reason.
impossible() {
  printf '%s' "$1" >&3
  exit 1
}

# apply KEY COMMAND…: a setting by itself, where there is one. What fails in it ends it and no other, and is reported; what its programs
# say may hold values, and is in the log alone.
apply() {
  local key=$1
  shift
  [ -n "${OPTIONS[$key]:-}" ] || return 0
  alone "$@"
  ((CODE == 0)) || problem "$key" "${SAID:-could not be set: journalctl -u laneware-options says why}"
}

readonly OPTION_KEYS=' HOSTNAME TIMEZONE WIFI_SSID WIFI_PASSWORD WIFI_COUNTRY WIFI_HIDDEN SSH_KEY TOKEN TILL_TOKEN LISTEN LEARN_BUTTON SECURITY_UPDATES MASTER PAIRING_CODE '

# read_options: the settings in the text on standard input; only their form is judged.
read_options() {
  local LC_ALL=C line key value number=0
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    line=$(trimmed "$line")
    case $line in '' | '#'* | ';'* | '//'*) continue ;; esac
    if [[ ! $line =~ ^([A-Za-z_]{1,32})[[:blank:]]*= ]]; then
      OPTION_PROBLEMS+=("line $number: is no KEY=VALUE")
      continue
    fi
    key=${BASH_REMATCH[1]^^}
    value=$(unquoted "$(trimmed "${line#*=}")")
    if [[ $OPTION_KEYS != *" $key "* ]]; then
      OPTION_PROBLEMS+=("line $number: $key is no setting")
    elif [[ $value == *[[:cntrl:]]* ]]; then
      OPTION_PROBLEMS+=("line $number: $key holds what is no text")
    elif [ -n "$value" ]; then
      OPTIONS[$key]=$value OPTION_LINES[$key]=$number
    fi
  done
}

# must KEY PATTERN SENTENCE: a setting that is there and does not fit is left out.
must() {
  local LC_ALL=C
  [ -z "${OPTIONS[$1]:-}" ] || [[ ${OPTIONS[$1]} =~ $2 ]] || problem "$1" "$3"
}

readonly A_TOKEN='^[A-Za-z0-9._~-]{16,128}$' TOKEN_RULE='must have 16 to 128 letters, digits, dots, dashes or underscores'
readonly OCTET='(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])'
readonly SSH_TYPES='(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com)'

# judge_options: what does not fit is reported and left out; the rest holds.
judge_options() {
  must HOSTNAME '^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$' 'must be letters, digits and dashes, 63 at most'
  must WIFI_SSID '^.{1,32}$' 'must have 1 to 32 bytes'
  must WIFI_PASSWORD '^([ -~]{8,63}|[0-9A-Fa-f]{64})$' 'must have 8 to 63 plain characters'
  must WIFI_COUNTRY '^[A-Za-z]{2}$' 'must be two letters, as RU'
  must WIFI_HIDDEN '^(yes|no)$' 'must be yes or no'
  must SSH_KEY "^$SSH_TYPES [A-Za-z0-9+/]{40,2000}={0,2}( [^\"]{0,200})?\$" 'must be the one line of a public key, as of id_ed25519.pub'
  must TOKEN "$A_TOKEN" "$TOKEN_RULE"
  must TILL_TOKEN "$A_TOKEN" "$TOKEN_RULE"
  must LISTEN '^(network|device)$' 'must be network or device'
  must SECURITY_UPDATES '^(yes|no)$' 'must be yes or no'
  must LEARN_BUTTON '^([2-9]|1[0-9]|2[0-7])$' 'must be the number of a GPIO, 2 to 27'
  must MASTER "^($OCTET(\\.$OCTET){3}|[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)(:[1-9][0-9]{0,4})?\$" 'must be the address of the master, as 192.168.1.10'
  is_port "${OPTIONS[MASTER]:-}" || problem MASTER 'must have a port of 1 to 65535'
  must PAIRING_CODE '^[A-Za-z0-9-]{20,32}$' 'must be the code that the master shows, as 0123-4567-89AB-CDEF-GHJK'
  judge_together
}

# is_port ADDRESS: whether it names none, or one that there is.
is_port() { [[ $1 != *:* ]] || [ "${1##*:}" -le 65535 ]; }

judge_together() {
  local zone=${OPTIONS[TIMEZONE]:-} one other
  [ -z "$zone" ] || is_zone "$zone" || problem TIMEZONE 'is no time zone that this system knows, as Europe/Moscow'
  [ "${OPTIONS[TOKEN]:-}" != "${OPTIONS[TILL_TOKEN]:-none}" ] || problem TILL_TOKEN 'must be another one than TOKEN'
  for one in WIFI_PASSWORD:WIFI_SSID WIFI_HIDDEN:WIFI_SSID MASTER:PAIRING_CODE PAIRING_CODE:MASTER; do
    other=${one#*:}
    one=${one%:*}
    [ -z "${OPTIONS[$one]:-}" ] || [ -n "${OPTIONS[$other]:-}" ] || problem "$one" "needs $other beside it"
  done
}
