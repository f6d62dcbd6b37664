# shellcheck shell=bash
# A release proves itself over its first day. The gate of an update sees a minute; what ends the device every hour, a hang
# (the watchdog ends it) or memory that runs out, shows later. systemd calls `ota.sh ended` whenever the device has ended
# (ExecStopPost=), which counts; the timer of updates has the count judged, and whether the release still sells
# (`judge_first_day` of update.sh). Sourced.
#
# A day is 24 h of the machine being on, by its uptime: a wrong clock changes nothing. What passes before a pulled plug is
# not seen, which makes a day longer. The first one lasts until the release has reached the bank: a line that is cut for a day
# proves nothing. Kept in $UPDATE_DIR/ends/VERSION:
#   ends    so often it has ended by itself, in the present day
#   ran     seconds of that day that have passed
#   boot, uptime   when it was noted
#   day     ends of its last whole day; empty in its first one
#   causes  what ended it in the present day, in systemd's words, those of a crash loop too: "exit-code:3 oom-kill:1"
#   before  the parts that had failed and the reasons not to sell from before it was installed, that have not been seen to end since
#   bank    BANK_BEFORE of reach.sh; empty once this release has reached it

readonly PROVING_SECONDS=86400
# How many ends more than the release before had in a day do not count: a camera that is pulled may end any release once.
readonly ENDS_TOLERATED=3
# An end nearer than this to the one before is part of a crash loop, which `rescue` judges: StartLimitIntervalSec= by
# StartLimitBurst= of the unit, so that every end falls under one of the two rules.
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

# record_end VERSION: sets ENDS, of its present day, DAY, of the last whole one, and PASSED, seconds since the end before.
record_end() {
  local file ran causes
  file=$(ends_file "$1") causes=$(value_of causes "$(ends_file "$1")")
  ENDS=$(number_of ends "$file") DAY=$(value_of day "$file") ran=$(number_of ran "$file")
  PASSED=$(passed_since_noted "$file")
  [ ! -e "$file" ] || ran=$((ran + PASSED))
  if ((ran >= PROVING_SECONDS)); then
    [ -n "$(bank_before "$1")" ] || DAY=$ENDS
    ENDS=0 ran=0 causes=''
  fi
  ! by_itself || causes=$(with_cause "$causes")
  ! counts || ENDS=$((ENDS + 1))
  write_ends "$1" "$ENDS" "$ran" "$DAY" "$causes" "$(value_of before "$file")" "$(value_of bank "$file")"
}

# passed_since_noted FILE: seconds of the machine being on; of an earlier boot nothing is known.
passed_since_noted() {
  local uptime
  uptime=$(uptime_seconds)
  [ "$(boot_name)" != "$(value_of boot "$1")" ] || uptime=$((uptime - $(number_of uptime "$1")))
  echo "$uptime"
}

# write_ends VERSION ENDS RAN DAY CAUSES BEFORE BANK
write_ends() {
  mkdir -p "$UPDATE_DIR/ends" &&
    printf 'ends=%d\nran=%d\nboot=%s\nuptime=%d\nday=%s\ncauses=%s\nbefore=%s\nbank=%s\n' "$2" "$3" "$(boot_name)" "$(uptime_seconds)" \
      "$4" "$5" "$6" "$7" | durable_write "$(ends_file "$1")"
}

# ends_of_day VERSION: how often it ended in a day, at most.
ends_of_day() {
  local file day now
  file=$(ends_file "$1")
  day=$(number_of day "$file") now=$(number_of ends "$file")
  echo "$((day > now ? day : now))"
}

# is_in_first_day VERSION
is_in_first_day() {
  local file
  file=$(ends_file "$1")
  [ -e "$file" ] && [ -z "$(value_of day "$file")" ] || return
  [ -n "$(bank_before "$1")" ] || (($(number_of ran "$file") + $(passed_since_noted "$file") < PROVING_SECONDS))
}

# too_many_ends VERSION PREVIOUS: says so, where it has ended more often in its day than the one before in one of its own.
too_many_ends() {
  local ends usual
  ends=$(number_of ends "$(ends_file "$1")") usual=$(ends_of_day "$2")
  ((ends > usual + ENDS_TOLERATED)) || return
  echo "it ended $ends times in its first day$(causes_of "$1"), $2 $usual times in a day"
}

bank_before() { value_of bank "$(ends_file "$1")"; }

# failed_before VERSION: what had failed or kept it from selling before it was installed; ANY_PART where it was not noted.
failed_before() {
  local file
  file=$(ends_file "$1")
  if grep -q '^before=' "$file"; then value_of before "$file" | tr ' ' '\n'; else echo "$ANY_PART"; fi
}

# record_sales VERSION: what was amiss in the night of its installation excuses it no longer once it has ended; a bank that it reaches
# speaks against it no more.
record_sales() {
  local file before now still bank
  file=$(ends_file "$1") before=$(failed_before "$1") bank=$(bank_before "$1") now=$(failed_or_silent)
  [ "$now" != "$ANY_PART" ] || return 0
  still=$now
  [ "$before" = "$ANY_PART" ] || still=$(comm -12 <(printf '%s\n' "$before") <(printf '%s\n' "$now"))
  if [ -n "$bank" ] && reaches_bank; then bank=''; fi
  [ "$still/$bank" != "$before/$(bank_before "$1")" ] || return 0
  write_ends "$1" "$(number_of ends "$file")" $(($(number_of ran "$file") + $(passed_since_noted "$file"))) \
    "$(value_of day "$file")" "$(value_of causes "$file")" "$(tr '\n' ' ' <<<"$still")" "$bank"
}

# fault_of_first_day VERSION PREVIOUS: why the one before should run again; fails where nothing speaks for that.
fault_of_first_day() { too_many_ends "$1" "$2" || lost_sales "$(failed_before "$1")" || lost_bank "$(bank_before "$1")"; }

# ended: the device has ended, and starts again by itself. In its first day a release that does so too often is judged at once.
ended() {
  local good previous
  # systemd counts each start for a crash loop, those too that a person or the system has asked for: five of them, a good release undone
  ! asked_for || systemctl reset-failed "$SERVICE" 9>&- || warn 'starts by hand count as a crash loop'
  good=$(linked good)
  previous=$(linked previous)
  [ "$good" = "$(linked current)" ] || return 0 # a trial: its updater watches it
  record_end "$good" || { warn "it cannot be noted that $good has ended"; return 0; }
  counts && [ -z "$DAY" ] && [ -n "$previous" ] && too_many_ends "$good" "$previous" >/dev/null || return 0
  exec 9>&- # the lock, for who judges
  systemctl --no-block start "$UPDATE_SERVICE" || warn "$good ends often in its first day; it is judged within half an hour"
}

# begin_day VERSION FAILED_BEFORE BANK_BEFORE: its first one, now that it is installed.
begin_day() {
  clear_put_off
  write_ends "$1" 0 0 '' '' "$(tr '\n' ' ' <<<"$2")" "$3"
}

# end_day VERSION: its first one is over, however short it was.
end_day() {
  local file
  file=$(ends_file "$1")
  write_ends "$1" 0 0 "$(number_of ends "$file")" "$(value_of causes "$file")" "$(value_of before "$file")" ''
}
