# shellcheck shell=bash
# The way back from a release: of an update that failed or was cut short, by hand, in its first day, and after a crash loop. Sourced
# by ota.sh, with update.sh.

# ignore_signals: a way back goes to its end, also where the terminal hangs up or its output is read no more.
ignore_signals() { trap '' TERM INT HUP PIPE; }

# undo OUTCOME: the one way back: what is good runs, and nothing of a trial is left. Repeating it does no harm.
undo() {
  local good state moved='' rc=0
  good=$(linked good)
  state=$(state_now)
  if [ -n "$good" ] && [ "$(linked current)" != "$good" ]; then
    set_state undo || true # the way back must work on a full disk too
    relink current "$good" || rc=$EXIT_FAILED
    moved=1
  fi
  case $state in
    check | download | verify | unpack | trial | switch) # the good release was never stopped, unless systemd has started what was linked
      [ -n "$moved" ] && [ "$(version_on terminal)" != "$good" ] || moved='' ;;
    restart | gate | commit | undo) moved=1 ;;
  esac
  if [ -n "$moved" ] && [ -z "$BOOT" ]; then restart_service || rc=$EXIT_FAILED; fi
  if [ -n "$moved" ] && [ -n "$BOOT" ]; then reread_units; fi # the trial's were read at boot
  if [ "$rc" -ne 0 ]; then # the one that was to go may run still: it is tried again, and nothing is taken from under it
    set_state undo || true
    return "$rc"
  fi
  prune || true
  set_state idle "$1" || true
}

# attempts_of REASON: as how many it counts. What a person, a till or a line may have caused keeps a release off after three nights, and not for good.
attempts_of() { if [[ $1 = "$NO_BANK" || $1 =~ $PERHAPS_FROM_OUTSIDE ]]; then echo 1; else echo "$MAX_ATTEMPTS"; fi; }

# does_better VERSION SECONDS REASON: it proves itself, where another was left for that reason. Says why not.
does_better() {
  proves_itself "$1" "$2" "$FAILED_BEFORE" "$BANK_BEFORE" || return
  [ "$3" != "$NO_BANK" ] || reaches_bank || { echo "$NO_WAY"; return 1; }
}

# go_back REASON: the new release had its chance. Where the one before, which has worked, does no better by now, the fault is
# in the data or in the machine, and the new one is not the worse for it: the next update brings it again.
go_back() {
  local good same
  good=$(linked good)
  ignore_signals
  trap - EXIT
  rm -rf -- "${HEAD_DIR:-}" || true
  warn "$VERSION did not prove itself: $1"
  blame "$VERSION" "$(attempts_of "$1")" "$1" || true
  if ! undo "$VERSION was undone: $1"; then
    forgive "$VERSION" || true
    fail "$EXIT_FAILED" "$good does not start either: the fault is in the data or in the machine, not in $VERSION"
  fi
  if ! same=$(does_better "$good" 0 "$1"); then
    forgive "$VERSION" || true
    set_state idle "$VERSION was undone, and $good does no better: $same" || true
    fail "$EXIT_WENT_BACK" "$good runs again, and does no better ($same): the fault is in the data or in the machine, and the" \
      "next update brings $VERSION again"
  fi
  fail "$EXIT_WENT_BACK" "$good runs again; $VERSION was undone because $1"
}

# recover: ends what a killed update or a power cut has left. Nothing to do is the usual case.
recover() {
  local state
  is_downloading || rm -rf -- "$RUN_DIR"/head.* "$UPDATE_DIR"/install.*
  end_repair || warn 'the repair of a release that was cut short cannot be ended; the device runs nevertheless'
  state=$(state_now)
  if [ "$(linked current)" = "$(linked good)" ]; then
    if [ "${state:-idle}" = idle ] || is_downloading; then return 0; fi
  fi
  STATE_VERSION=$(value_of version "$UPDATE_DIR/state")
  STATE_FROM=$(value_of from "$UPDATE_DIR/state")
  # a way back may have been cut short since, which leaves the version that was installed in the state
  if [ -n "$STATE_VERSION" ] && [ "$(linked good)" = "$STATE_VERSION" ] && [ "$(linked current)" = "$STATE_VERSION" ]; then
    finish_commit
    return
  fi
  case $state in
    restart | gate) blame "$STATE_VERSION" 1 'its trial was cut short' || true ;;
  esac
  undo "the update to $STATE_VERSION was cut short (${state:-unknown}) and undone"
}

# record_why CODE: the EXIT trap of a way back that was not gone. Who asked for it by the page of the device reads it there.
record_why() {
  [ "$1" -ne 0 ] || return 0
  ignore_signals
  if [ "$(linked current)" != "$(linked good)" ]; then
    undo "${LAST_WORDS:-the way back was cut short}" || true
  elif [ "$(state_now)" != undo ]; then
    set_state idle "${LAST_WORDS:-the way back failed}" || true
  fi
}

# has_previous: whether there is a whole release before this one. A way back that was cut short may have left the link to this one.
has_previous() {
  local previous
  previous=$(linked previous)
  [ -n "$previous" ] && [ "$previous" != "$(linked good)" ] && whole "$previous"
}

# switch_to_previous WHY OUTCOME: makes the release before the good one once it runs and proves itself; else fails, and WHY_NOT is why.
# Until then the release that is left stays good: it may sell better than the one before does by now.
switch_to_previous() {
  local good previous
  good=$(linked good)
  previous=$(linked previous)
  WHY_NOT='it did not start'
  relink current "$previous" || return
  restart_service || return
  WHY_NOT=$(does_better "$previous" "$(seconds_of gate_seconds 60)" "$1") || return
  # what was left, the next night must not bring back
  blame "$good" "$(attempts_of "$1")" "$1" || warn "it cannot be noted: the next night may install $good again"
  settle_on "$previous" "$2"
}

go_back_by_hand() {
  local good previous
  trap 'record_why $?' EXIT
  trap 'exit 143' TERM INT HUP PIPE
  has_previous || refuse 'there is no whole release before this one on this device'
  good=$(linked good)
  previous=$(linked previous)
  await_payments
  FAILED_BEFORE=$(failed_or_silent)
  record_bank_before
  set_state undo || true # cut short from here on, what is good runs again; a full disk stops no way back
  switch_to_previous 'it was left by hand' "$good was left for $previous by hand" || {
    undo "$previous did not prove itself: $WHY_NOT" ||
      fail "$EXIT_FAILED" "neither $previous nor $good starts: the fault is in the data or in the machine"
    fail "$EXIT_WENT_BACK" "$good runs again: $previous did not prove itself ($WHY_NOT)"
  }
  say "$previous runs."
}

# judge_first_day: in its first day a release that ends more often, or sells less, than the one before gives way to it, at any
# hour; one that gets through it has its earlier attempts forgotten. Where the one before does no better, the fault is not in the
# release, and its first day is over; not where the line was cut meanwhile, for whoever can do that could keep any release.
judge_first_day() {
  local good previous why
  good=$(linked good)
  previous=$(linked previous)
  # a release is read as a whole only where there is a reason: the timer asks every twenty minutes
  is_in_first_day "$good" || { forgive "$good" || true; return 0; }
  [ -n "$previous" ] || return 0
  why=$(fault_of_first_day "$good" "$previous") || { record_sales "$good" || warn "it cannot be noted what sells with $good"; return 0; }
  has_previous || return 0
  warn "$good gives way to $previous: $why"
  WHEN_CLOSED='' await_payments
  FAILED_BEFORE=$(failed_before "$good")
  if [ "$why" = "$NO_BANK" ]; then BANK_BEFORE=$(bank_before "$good"); else record_bank_before; fi
  set_state undo || true # cut short from here on, what is good runs again; a full disk stops no way back
  if switch_to_previous "$why" "$good gave way to $previous: $why"; then
    say "$previous runs."
    exit 0
  fi
  [ "$WHY_NOT" = "$NO_WAY" ] || end_day "$good" || true
  undo "$good was to give way to $previous ($why), which does no better: $WHY_NOT" ||
    fail "$EXIT_FAILED" "$good could not be started again: it is tried again"
  warn "$good runs again: $previous does no better ($WHY_NOT), so the fault is in the data, in the machine or on the way"
}

# settle_on VERSION OUTCOME: makes an earlier release, which runs by now, the good one; else fails, with the way back kept.
settle_on() {
  local left
  left=$(linked good)
  relink good "$1" || { WHY_NOT='it cannot be made the good one'; return 1; }
  mark_as_left "$left"
  reread_units
  prune || true
  set_state idle "$2" || true
}

# rescue: systemd has given the device up after a crash loop. A trial is the business of the updater that watches it. The
# release before takes over only if it starts: damaged data end both in a crash loop, and then nothing is gained by going back.
# Nor is it where the configuration is wrong, which is no release's fault.
rescue() {
  local good previous pause why
  recover
  is_stopped || return 0 # it runs, or somebody has started it anew meanwhile: if that fails, too, this is called again
  if ended_by_config; then
    warn 'the configuration is wrong, and no release is to blame: journalctl -u laneware names the key; correct it, then: systemctl restart laneware'
    return
  fi
  good=$(linked good)
  previous=$(linked previous)
  if has_previous; then
    why="it could not stay up$(causes_of "$good")"
    warn "$good cannot stay up: going back to $previous: $why"
    FAILED_BEFORE=$ANY_PART
    if switch_to_previous "$why" "$good could not stay up; $previous runs again: $why"; then return; fi
    relink current "$good" || true # the device is started again also where no link can be written
    warn "neither $good nor $previous stays up ($WHY_NOT): the fault is not in the release"
  fi
  pause=$(seconds_of rescue_pause_seconds 60)
  warn "$good cannot stay up: trying again in $pause s"
  sleep "$pause"
  restart_service
}
