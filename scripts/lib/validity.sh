# shellcheck shell=bash
# For how long a release may be installed. Sourced.
#
# A release names in its manifest when it was made (`date`) and until when it may be installed (`valid-until`): what somebody
# has kept from last year, with its faults, can then not be passed off as the newest. It takes a clock to know that, and a
# board without a battery starts with any. So time is what the clock says, or what is known to have passed, whichever is later:
# the dates of signed releases, and where the clock stood when releases were looked for. Anybody on the network can set the clock:
# it moves what is known by at most a week for each day that the machine was on, so that neither one wrong night nor many starts
# with a wrong clock cost years.

readonly DAY_SECONDS=86400
readonly LEAP_LIMIT_SECONDS=$((7 * DAY_SECONDS))

# File with the uptime at which the clock last moved what is known; in memory, as uptime counts from the start of the machine.
# Without the file it counts as 0.
TAKEN_IN=$RUN_DIR/clock-taken-in

# moment TEXT: seconds since 1970 of a time as 2026-01-31T09:30:00Z; fails on all else.
moment() {
  [[ $1 =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$ ]] && date --utc --date="$1" +%s 2>/dev/null
}

day_of() { date --utc --date="@$1" +%Y-%m-%d; }

later() { if (($1 > $2)); then echo "$1"; else echo "$2"; fi; }

# known_time: the latest moment that is known to have passed.
known_time() {
  local noted made
  noted=$(head -c 32 "$UPDATE_DIR/known-time" 2>/dev/null) || noted=''
  [[ $noted =~ ^[1-9][0-9]{0,10}$ ]] || noted=0
  made=$(stat -c %Y "$LANEWARE/good/RELEASE" 2>/dev/null) || made=0
  later "$noted" "$made"
}

uptime_seconds() { cut -d . -f 1 "$ROOT/proc/uptime"; }

# leap_seconds UPTIME: by how much the clock may move what is known.
leap_seconds() {
  local before passed
  before=$(cat "$TAKEN_IN" 2>/dev/null) || before=0
  [[ $before =~ ^[0-9]{1,9}$ ]] || before=0
  passed=$(($1 - before))
  echo $((passed < DAY_SECONDS ? passed * LEAP_LIMIT_SECONDS / DAY_SECONDS : LEAP_LIMIT_SECONDS))
}

# record_time: of the release that is judged, which is signed.
record_time() {
  local known clock uptime=0 limit
  known=$(later "$(known_time)" "$MADE_AT")
  clock=$(date +%s)
  [ ! -e "$ROOT/proc/uptime" ] || uptime=$(uptime_seconds) # a card that is written offline has none
  limit=$((known + $(leap_seconds "$uptime")))
  ((clock <= limit)) || clock=$limit
  later "$known" "$clock" | durable_write "$UPDATE_DIR/known-time" && echo "$uptime" >"$TAKEN_IN"
}

# has_expired: whether the time of the release that is judged is over; sets NOW.
has_expired() {
  NOW=$(later "$(date +%s)" "$(known_time)")
  ((NOW > VALID_UNTIL))
}

judge_validity() {
  local clock
  if [ -n "$ALLOW_EXPIRED" ] || ! has_expired; then return 0; fi
  clock=$(date +%s)
  [ "$clock" -ge "$NOW" ] && clock='' || clock=" (the clock of this device says $(day_of "$clock"), which is past)"
  refuse "release $VERSION was valid until $(day_of "$VALID_UNTIL"), and it is $(day_of "$NOW")$clock: take a newer one, set" \
    'the clock if it is wrong, or, in an emergency, --allow-expired'
}
