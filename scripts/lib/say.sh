# shellcheck shell=bash
# What the scripts of the lane say, and how they end. Sourced.

# Exit codes, the same in every script.
readonly EXIT_FAILED=1 EXIT_USAGE=2 EXIT_NOTHING_NEW=3 EXIT_NOT_NOW=4 EXIT_REFUSED=5 EXIT_WENT_BACK=6

QUIET=${QUIET:-}

# printable TEXT: one line, without what a terminal would take for an order. Some of what is said comes from elsewhere.
printable() {
  local LC_ALL=C text
  text=${1//[$'\x01'-$'\x1f'$'\x7f']/ }
  printf '%s' "${text//$'\xc2'[$'\x80'-$'\x9f']/ }"
}

# An output that nobody reads any more does not end the script.
say() { [ -n "$QUIET" ] || printf '%s\n' "$(printable "$*")" >&2 || true; }
warn() { printf 'warning: %s\n' "$(printable "$*")" >&2 || true; }

# fail CODE SENTENCE: ends the script. What must be undone first is the business of its EXIT trap.
LAST_WORDS=''
fail() {
  local code=$1
  shift
  LAST_WORDS=$(printable "$*")
  printf '%s: %s\n' "${PROGRAM:-laneware}" "$LAST_WORDS" >&2 || true
  exit "$code"
}

refuse() { fail "$EXIT_REFUSED" "$*"; }

# print_header: what a script says of itself: the comment that it begins with.
print_header() { sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; }

# usage [SENTENCE]: ends the script with what it says of itself, and what was wrong.
usage() {
  print_header >&2
  [ $# -eq 0 ] || fail "$EXIT_USAGE" "$*"
  exit "$EXIT_USAGE"
}

# offer_help ARGUMENT…: where --help is among them, that is all that is done. The first call of every script.
offer_help() {
  local argument
  for argument; do
    case $argument in -h | --help) print_header; exit 0 ;; esac
  done
}

# need PROGRAM…: ends with one sentence that names everything that is missing.
need() {
  local program missing=()
  for program; do command -v "$program" >/dev/null || missing+=("$program"); done
  [ ${#missing[@]} -eq 0 ] || fail "$EXIT_FAILED" "needs ${missing[*]}, which this machine does not have"
}
