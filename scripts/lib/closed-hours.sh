# shellcheck shell=bash
# When the shop is closed (`closed` of update.conf): what the timer begins is installed in these hours alone. Sourced.
#
# The hours are of the wall clock in the zone of the machine, so that a change of the hour moves them with the shop. The clock is
# asked again before the device is stopped: a long download, or an hour that was left out, must not end in a shop that is open.

readonly DEFAULT_CLOSED=22:00-06:00 AT_ANY_TIME=any
readonly HOURS_FORM='^([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])$'
# The timer fires at least once in this time. The turns of the devices lie before the last hour, so that each still looks in it.
readonly LAST_HOUR_SECONDS=3600
# Time for two starts, beside the gate: of the new release, and of the one before where the new one fails
readonly STARTS_SECONDS=180
readonly CHIP_TOLERANCE_SECONDS=120
# File with the time of the last look for a release; os-update.sh has another file.
LOOKED=$RUN_DIR/looked
# File that says since when updates have come to nothing, and why; empty where that is not noted, as in os-update.sh.
PUT_OFF=$UPDATE_DIR/put-off

# read_hours TEXT: sets CLOSES, seconds after midnight, and CLOSED_SECONDS; fails on what names no hour or more.
read_hours() {
  [[ $1 =~ $HOURS_FORM ]] || return
  CLOSES=$(((10#${BASH_REMATCH[1]} * 60 + 10#${BASH_REMATCH[2]}) * 60))
  CLOSED_SECONDS=$((((10#${BASH_REMATCH[3]} * 60 + 10#${BASH_REMATCH[4]}) * 60 - CLOSES + DAY_SECONDS) % DAY_SECONDS))
  ((CLOSED_SECONDS >= LAST_HOUR_SECONDS))
}

are_hours() { [ "$1" = "$AT_ANY_TIME" ] || read_hours "$1"; }

readonly WHAT_HOURS_ARE="they are written as 23:00-05:00, an hour or more, or any for the whole day"

closed_hours() {
  local hours
  hours=$(value_of closed "$CONFIG_DIR/update.conf")
  printf '%s' "${hours:-$DEFAULT_CLOSED}"
}

# since_closing: seconds of the wall clock since the shop has closed, the last time.
since_closing() {
  local hour minute second
  IFS=: read -r hour minute second < <(date +%H:%M:%S)
  echo $((((10#$hour * 60 + 10#$minute) * 60 + 10#$second - CLOSES + DAY_SECONDS) % DAY_SECONDS))
}

# closed_seconds_left: within which an update may still begin to stop the device; 0 or less where it may not.
closed_seconds_left() {
  echo $((CLOSED_SECONDS - $(since_closing) - $(seconds_of gate_seconds 60) - STARTS_SECONDS))
}

# clock_is_right: whether something confirms the clock: a time server, or a clock chip with a battery. A board without either starts
# with the time at which it was switched off, which is when the shop had closed.
clock_is_right() {
  (($(date +%s) >= $(known_time))) || return
  [ "$(timedatectl show --property NTPSynchronized --value 2>/dev/null)" = yes ] || agrees_with_chip
}

agrees_with_chip() {
  local chip apart
  chip=$(cat "$ROOT/sys/class/rtc/rtc0/since_epoch" 2>/dev/null) && [[ $chip =~ ^[0-9]{1,11}$ ]] || return
  apart=$(($(date +%s) - chip))
  ((${apart#-} <= CHIP_TOLERANCE_SECONDS))
}

# turn_of_device: seconds after closing; another on each device, the same every night.
turn_of_device() {
  local spread=$((CLOSED_SECONDS - LAST_HOUR_SECONDS)) number
  read -r number _ < <(cksum 2>/dev/null <"$ROOT/etc/machine-id" || echo 0)
  echo $((spread > 0 ? number % spread : 0))
}

# record_put_off WHY: since when updates have come to nothing, and why at last. The device reports it (firmware/core/board/update-history.ts).
record_put_off() {
  local since now
  [ -n "$PUT_OFF" ] || return 0
  since=$(value_of since "$PUT_OFF") now=$(later "$(date +%s)" "$(known_time)")
  if [[ ! $since =~ ^[1-9][0-9]{0,10}$ ]] || ((since > now)); then since=$now; elif [ "$(value_of why "$PUT_OFF")" = "$1" ]; then return 0; fi
  printf 'since=%s\nwhy=%s\n' "$since" "$1" | durable_write "$PUT_OFF" || warn 'it cannot be noted that the update was put off'
}

put_off() {
  record_put_off "$*"
  fail "$EXIT_NOT_NOW" "$*"
}

# await_turn WHY: ends this look. A reason of every day does not replace one that is noted already.
await_turn() {
  local why
  why=$(value_of why "$PUT_OFF")
  record_put_off "${why:-$*}"
  fail "$EXIT_NOT_NOW" "$*"
}

# clear_put_off: the source has answered: there is nothing to install, or it is installed.
clear_put_off() { [ -z "$PUT_OFF" ] || rm -f -- "$PUT_OFF"; }

# judge_hours: ends what the timer has begun, where it is not the time for it.
judge_hours() {
  local hours passed looked words
  hours=$(closed_hours)
  [ "$hours" != "$AT_ANY_TIME" ] || return 0
  words="closed=$hours in $CONFIG_DIR/update.conf names no hours: $WHAT_HOURS_ARE"
  read_hours "$hours" || { record_put_off "$words"; refuse "$words"; }
  clock_is_right || put_off 'nothing vouches for the clock, neither a time server nor a clock chip, so it is unknown' \
    "whether the shop is closed: connect a time server, set closed=$AT_ANY_TIME, or update by hand"
  (($(closed_seconds_left) > 0)) ||
    await_turn "the shop may be open: updates are installed from ${hours/-/ to } (closed= in $CONFIG_DIR/update.conf)"
  passed=$(since_closing)
  ((passed >= $(turn_of_device))) || await_turn 'the turn of this device comes later tonight'
  looked=$(cat "$LOOKED" 2>/dev/null) || looked=0
  [[ $looked =~ ^[0-9]{1,11}$ ]] || looked=0
  ((looked > $(date +%s) || $(date +%s) - looked > passed)) || { say 'Tonight it was looked for already.'; exit "$EXIT_NOTHING_NEW"; }
  [ ! -e "$PUT_OFF" ] || record_put_off 'it was begun since, and did not come to its end: journalctl -u laneware-update says why'
}

# record_look: in memory; a device that was switched off meanwhile may look again.
record_look() { date +%s >"$LOOKED" || true; }

# require_closed: ends an update before it stops the device where the hours are over by now.
require_closed() {
  [ -n "$WHEN_CLOSED" ] && [ "$(closed_hours)" != "$AT_ANY_TIME" ] || return 0
  (($(closed_seconds_left) > 0)) ||
    put_off 'the hours in which the shop is closed are over: put off, and the download is kept'
}

# seconds_to_wait SECONDS: no longer than those hours last.
seconds_to_wait() {
  local left=$1
  if [ -n "$WHEN_CLOSED" ] && [ "$(closed_hours)" != "$AT_ANY_TIME" ]; then left=$(closed_seconds_left); fi
  echo $((left < $1 ? left : $1))
}
