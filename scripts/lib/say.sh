# shellcheck shell=bash
# What the scripts of the lane say, and how they end. Sourced.

# Exit codes, the same in every script.
readonly EXIT_FAILED=1 EXIT_USAGE=2 EXIT_NOTHING_NEW=3 EXIT_NOT_NOW=4 EXIT_REFUSED=5 EXIT_WENT_BACK=6

QUIET=${QUIET:-}

say() { [ -n "$QUIET" ] || printf '%s\n' "$*" >&2; }
warn() { printf 'warning: %s\n' "$*" >&2; }

# fail CODE SENTENCE: ends the script. What must be undone first is the business of its EXIT trap.
LAST_WORDS=''
fail() {
  local code=$1
  shift
  LAST_WORDS=$*
  printf '%s: %s\n' "${PROGRAM:-laneware}" "$*" >&2
  exit "$code"
}

# need PROGRAM…: ends with one sentence that names everything that is missing.
need() {
  local program missing=()
  for program; do command -v "$program" >/dev/null || missing+=("$program"); done
  [ ${#missing[@]} -eq 0 ] || fail "$EXIT_FAILED" "needs ${missing[*]}, which this machine does not have"
}
