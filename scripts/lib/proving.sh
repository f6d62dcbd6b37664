# shellcheck shell=bash
# A release proves itself over its first day. The gate of an update sees a minute; what ends the device every hour, a hang
# (the watchdog ends it) or memory that runs out, shows later. systemd calls `ota.sh ended` whenever the device has ended
# (ExecStopPost=), before it starts it again: whichever release `current` is then, runs. Sourced.
#
# A day is 24 h of the machine being on, by its uptime: a wrong clock changes nothing. What passes before a pulled plug is
# not seen, which makes a day longer. Kept in $UPDATE_DIR/ends/VERSION:
#   ends    so often it has ended by itself, in the present day
#   ran     seconds of that day that have passed
#   boot, uptime   when it was noted
#   day     ends of its last whole day; empty in its first one
#   causes  what ended it in the present day, in systemd's words, those of a crash loop too: "exit-code:3 oom-kill:1"

readonly PROVING_SECONDS=86400
# More than the release before had in a day, by so many: a camera that is pulled may end any release once.
readonly ENDS_TOLERATED=3
# Nearer to the end before it is a crash loop, which `rescue` judges: StartLimitIntervalSec= by StartLimitBurst= of the unit, so
# that no distance lies between the two rules.
readonly LOOP_SECONDS=36
readonly EXIT_WRONG_CONFIG=78 # of firmware/device/run.ts: no release's fault

ends_file() { printf '%s/ends/%s' "$UPDATE_DIR" "$1"; }

# number_of KEY FILE: 0 where it says none.
number_of() {
  local value
  value=$(value_of "$1" "$2")
  [[ $value =~ ^[0-9]{1,9}$ ]] || value=0
  printf '%d' $((10#$value))
}

uptime_seconds() { cut -d . -f 1 "$ROOT/proc/uptime"; }
boot_name() { cat "$ROOT/proc/sys/kernel/random/boot_id"; }

# by_itself: whether the end that systemd reports (SERVICE_RESULT, EXIT_STATUS) is one that no person asked for.
by_itself() { [ "${SERVICE_RESULT:-success}" != success ] && [ "${EXIT_STATUS:-}" != "$EXIT_WRONG_CONFIG" ]; }

# asked_for: whether somebody had systemd stop the device, or start it anew: it has a job for that then. A release that ends by
# itself with 0 has none.
asked_for() { [ "${SERVICE_RESULT:-}" = success ] && [[ $(systemctl show --property=Job --value "$SERVICE") =~ ^[1-9] ]]; }

counts() { by_itself && ((PASSED >= LOOP_SECONDS)); }

# with_cause CAUSES: those, and the one that systemd reports.
with_cause() {
  local entry counted=''
  [[ ${SERVICE_RESULT:-} =~ ^[a-z-]{1,32}$ ]] || { printf '%s' "$1"; return; }
  for entry in $1; do
    if [[ $entry =~ ^$SERVICE_RESULT:([0-9]{1,9})$ ]]; then counted=1 entry=$SERVICE_RESULT:$((10#${BASH_REMATCH[1]} + 1)); fi
    printf '%s ' "$entry"
  done
  [ -n "$counted" ] || printf '%s' "$SERVICE_RESULT:1"
}

# causes_of VERSION: in words; empty where nothing is noted. Memory runs out and a process hangs by its own fault or by what
# is asked of it: the person who decides on the release must know which it may have been.
causes_of() {
  local causes outside=''
  causes=$(value_of causes "$(ends_file "$1")")
  [ -n "$causes" ] || return 0
  [[ ! $causes =~ (oom-kill|watchdog): ]] || outside='; load from outside can cause this, too'
  causes=${causes% } causes=${causes// /, }
  printf ' (%s%s)' "${causes//:/ }" "$outside"
}

# note_end VERSION: sets ENDS, of its present day, DAY, of the last whole one, and PASSED, seconds since the end before.
note_end() {
  local file ran boot uptime causes
  file=$(ends_file "$1") causes=$(value_of causes "$(ends_file "$1")")
  ENDS=$(number_of ends "$file") DAY=$(value_of day "$file") ran=$(number_of ran "$file")
  boot=$(boot_name) uptime=$(uptime_seconds)
  PASSED=$uptime # since it was noted last, or since this boot
  [ "$boot" != "$(value_of boot "$file")" ] || PASSED=$((uptime - $(number_of uptime "$file")))
  [ ! -e "$file" ] || ran=$((ran + PASSED))
  if ((ran >= PROVING_SECONDS)); then DAY=$ENDS ENDS=0 ran=0 causes=''; fi
  ! by_itself || causes=$(with_cause "$causes")
  ! counts || ENDS=$((ENDS + 1))
  write_ends "$1" "$ENDS" "$ran" "$DAY" "$causes"
}

# write_ends VERSION ENDS RAN DAY CAUSES
write_ends() {
  mkdir -p "$UPDATE_DIR/ends" &&
    printf 'ends=%d\nran=%d\nboot=%s\nuptime=%d\nday=%s\ncauses=%s\n' "$2" "$3" "$(boot_name)" "$(uptime_seconds)" "$4" "$5" |
    durable_write "$(ends_file "$1")"
}

# ends_of_day VERSION: how often it ended in a day, at most.
ends_of_day() {
  local file day now
  file=$(ends_file "$1")
  day=$(number_of day "$file") now=$(number_of ends "$file")
  echo "$((day > now ? day : now))"
}

# ended: the device has ended. In its first day a release that does so more often than the one before gives way to it.
ended() {
  local good previous usual why
  # systemd counts each start for a crash loop, those too that a person or the system has asked for: five of them, a good release undone
  ! asked_for || systemctl reset-failed "$SERVICE" 9>&- || warn 'starts by hand count as a crash loop'
  good=$(linked good)
  previous=$(linked previous)
  [ "$good" = "$(linked current)" ] || return 0 # a trial: its updater watches it
  note_end "$good" || { warn "it cannot be noted that $good has ended"; return 0; }
  counts || return 0
  # not every file of it is read: systemd waits for this only so long, and the rescue tries a release that does not start
  [ -z "$DAY" ] && [ -n "$previous" ] && [ -s "$RELEASES/$previous/SHA256SUMS" ] || return 0
  usual=$(ends_of_day "$previous")
  ((ENDS > usual + ENDS_TOLERATED)) || return 0
  why="it ended $ENDS times in its first day$(causes_of "$good")"
  warn "$good has ended $ENDS times in its first day, $previous $usual times in a day: going back to it: $why"
  blame "$good" "$MAX_ATTEMPTS" "$why" || true
  relink good "$previous"
  relink current "$previous"
  keep_left "$good"
  set_state idle "$good ended too often; $previous runs again: $why" || true
  systemctl daemon-reload 9>&- || true # the units are links into the release; systemd starts it by itself
}

# begin_day VERSION: its first one, now that it is installed.
begin_day() {
  note_answered
  write_ends "$1" 0 0 '' ''
}
