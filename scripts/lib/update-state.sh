# shellcheck shell=bash
# What an update is doing, on disk, so that one that was cut short is ended in the right way. Sourced.
#
# `state` is one of: idle check download verify unpack trial switch restart gate commit cleanup undo. In each state the way
# back is the same (`recover`): the links alone decide what runs; the state decides what to say and what to count.

readonly MAX_ATTEMPTS=3 # of a version whose trial was cut short, before it is taken for the cause

# A start of a release, its gate, and another start; longer than any way back has the lock.
readonly WAY_BACK_SECONDS=900
readonly ANOTHER_RUNS='another update runs on this device; try again when it has ended'

STATE_VERSION='' STATE_FROM=''

# open_lock: as descriptor 9. A user who can open a file can lock it: so that the device's own user cannot hold updates back,
# only root gets to it.
open_lock() {
  mkdir -p "$RUN_DIR"
  chmod 0700 "$RUN_DIR"
  exec 9>>"$RUN_DIR/lock"
  chmod 0600 "$RUN_DIR/lock"
}

# lock_updates SECONDS: who changes releases or their links has it; waits so long for it. It ends with the script.
lock_updates() {
  open_lock
  mkdir -p "$UPDATE_DIR"
  flock --wait "$1" 9 || fail "$EXIT_NOT_NOW" "$ANOTHER_RUNS"
}

# lock_exclusively: the same, at once, where no download is under way either.
lock_exclusively() {
  lock_updates 0
  ! is_downloading || fail "$EXIT_NOT_NOW" "$ANOTHER_RUNS"
}

# A download may last for hours, and changes nothing that runs: the lock is free meanwhile, for who puts a dead device back on its
# feet. That it is under way is seen by a lock of its own, where only root gets to it.
is_downloading() { ! flock --nonblock "$RUN_DIR/download" true; }

# unlocked COMMAND…: with the lock free for others; taken again afterwards.
unlocked() {
  local rc=0
  flock --unlock 9
  "$@" || rc=$?
  flock --wait "$WAY_BACK_SECONDS" 9 || fail "$EXIT_NOT_NOW" "$ANOTHER_RUNS"
  return "$rc"
}

# unless_locked: ends the script where another changes releases.
unless_locked() {
  open_lock
  mkdir -p "$UPDATE_DIR"
  flock --nonblock 9 || exit 0
}

state_now() { value_of state "$UPDATE_DIR/state"; }

# seconds_of KEY DEFAULT: a setting of update.conf; one that is no number of seconds must not stop an update half way.
seconds_of() {
  local value
  value=$(value_of "$1" "$CONFIG_DIR/update.conf")
  [[ $value =~ ^[0-9]{1,5}$ ]] || value=$2
  printf '%d' $((10#$value))
}

# set_state STATE [OUTCOME]
set_state() {
  printf 'state=%s\nversion=%s\nfrom=%s\noutcome=%s\n' "$1" "$STATE_VERSION" "$STATE_FROM" "${2:-}" |
    durable_write "$UPDATE_DIR/state"
}

# enter STATE: a step of an update that cannot be noted is not taken.
enter() {
  set_state "$1" || fail "$EXIT_FAILED" "nothing can be noted in $UPDATE_DIR, where $(($(free_bytes "$UPDATE_DIR") >> 20)) MB are free:" \
    'the card is full or takes no more; what ran runs on; make room, then update again'
}

failures_of() { value_of count "$UPDATE_DIR/failures/$1"; }

# For so long a version stays away whose attempts may have failed by something outside: a line, a till, a pulled plug.
readonly STAYS_AWAY_SECONDS=$((7 * 86400))

# blame VERSION TIMES REASON: a version that has failed is not installed again by itself. Where it takes several times to say so,
# nothing is proven, and `since` lets it come back.
blame() {
  local count since=''
  count=$(failures_of "$1")
  (($2 >= MAX_ATTEMPTS)) || since=$(date +%s)
  mkdir -p "$UPDATE_DIR/failures" &&
    printf 'count=%d\nreason=%s\nsince=%s\n' "$((${count:-0} + $2))" "$3" "$since" | durable_write "$UPDATE_DIR/failures/$1"
}

forgive() { rm -f -- "$UPDATE_DIR/failures/$1"; }

is_blamed() {
  local count since stays
  count=$(failures_of "$1") since=$(value_of since "$UPDATE_DIR/failures/$1")
  [ "${count:-0}" -ge "$MAX_ATTEMPTS" ] || return
  [ -n "$since" ] || return 0
  stays=$(($(date +%s) - since))
  ((stays >= 0 && stays < STAYS_AWAY_SECONDS)) # a clock that was ahead then keeps nothing off for years
}
