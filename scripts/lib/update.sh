# shellcheck shell=bash
# An update, step by step, and the one way back. Sourced by ota.sh.
#
#   step       it fails: which runs afterwards     it is killed here: which runs afterwards
#   check      old, never disturbed                old
#   download   old; the bytes are kept             old; the bytes are kept
#   verify     old; the bytes are thrown away      old
#   unpack     old                                 old
#   trial      old                                 old
#   switch     old                                 old, once `recover` has run
#   restart    old, restarted                      old, restarted by `recover` (at boot: before the device starts)
#   gate       old, restarted                      old, restarted by `recover`
#   commit     old, restarted                      old before `good` is renamed, new from then on
#   cleanup    new                                 new
#   undo       old                                 old
# Each row is a test: test/ota/table.test.ts.

# the steps that a person is shown
readonly STEPS=6
step() { say "[$1/$STEPS] $2"; }

source_of_releases() {
  local source
  source=${FROM:-$(value_of source "$CONFIG_DIR/update.conf")}
  case $source in
    */) printf '%slaneware-%s.release' "$source" "$(arch_of_device)" ;;
    *) printf '%s' "$source" ;;
  esac
}

# find_release: sets SOURCE and what the manifest says; ends where there is nothing that may be installed.
find_release() {
  need "${RELEASE_PROGRAMS[@]}"
  SOURCE=$(source_of_releases)
  if [ -z "$SOURCE" ]; then
    say "No source of releases: set source= in $CONFIG_DIR/update.conf, or use --from."
    exit "$EXIT_NOTHING_NEW"
  fi
  [ "$(value_of insecure "$CONFIG_DIR/update.conf")" != yes ] || INSECURE=1
  judge_source "$SOURCE"
  HEAD_DIR=$(mktemp -d "$RUN_DIR/head.XXXXXX")
  judge_keys
  fetch_head "$SOURCE" "$HEAD_DIR/head" ||
    fail "$EXIT_FAILED" "cannot read $SOURCE: $(head -n 1 "$HEAD_DIR/head.error")"
  if ! read_head "$HEAD_DIR/head" "$HEAD_DIR"; then
    # the page of a portal, or of a server in trouble, is no answer of the source: tonight it is asked again
    ! is_url "$SOURCE" || fail "$EXIT_FAILED" "$SOURCE is no Laneware release, but another page: is there a network that wants a sign-in first?"
    refuse "$SOURCE is no Laneware release"
  fi
  take_carried "$HEAD_DIR"
  judge_head "$HEAD_DIR"
  [ -n "$LOOK_ONLY" ] || note_time || warn 'the time cannot be noted'
  judge_board
  judge_version
  judge_validity
}

# judge_keys: which keys are trusted from here on. It comes before the release, and whether or not there is a newer one: a
# key may be replaced because it was stolen. Who only looks works upon a copy.
judge_keys() {
  if [ -n "$LOOK_ONLY" ]; then
    cp -RT -- "$KEYS" "$HEAD_DIR/keys"
    KEYS=$HEAD_DIR/keys
  fi
  know_keys
  fetch_statements "$SOURCE" "$HEAD_DIR/statements"
  take_statements "$HEAD_DIR/statements" "$HEAD_DIR"
}

verify() {
  if proven "$PART"; then return; fi
  rm -f -- "$PART"
  fail "$EXIT_FAILED" 'the download is damaged and was thrown away; the next update begins anew'
}

unpack() {
  local folder=$RELEASES/.new-$VERSION rc=0
  innocent "$PART" || rc=$?
  [ "$rc" -ne "$NOT_INNOCENT" ] ||
    refuse "release $VERSION holds what no release may hold (links, devices, paths that lead out of it)"
  [ "$rc" -eq 0 ] || fail "$EXIT_FAILED" 'the release cannot be unpacked'
  rm -rf -- "$folder"
  mkdir -p "$folder"
  { tar_of "$PART" || true; } | tar --extract --no-same-owner --no-same-permissions --directory "$folder" ||
    fail "$EXIT_FAILED" 'the release cannot be unpacked'
  exact "$folder" || fail "$EXIT_FAILED" 'the unpacked release is not what was signed'
  sync -f "$RELEASES" # all of it is on the disk before anything points to it
  put_in_place "$VERSION" || fail "$EXIT_FAILED" 'the unpacked release cannot be put in its place'
}

await_payments() {
  until_no_payment "$(seconds_to_wait "$(seconds_of payment_wait_seconds 600)")" ||
    fail "$EXIT_NOT_NOW" "$WHY: put off, nothing was changed"
  require_closed
}

# hold_on: a way back goes to its end, also where the terminal hangs up or its output is read no more.
hold_on() { trap '' TERM INT HUP PIPE; }

# give_up CODE: the EXIT trap of an update that has not reached its end.
give_up() {
  local code=$1
  hold_on
  trap - EXIT
  rm -rf -- "${HEAD_DIR:-}" || true
  [ "$code" -ne 0 ] || return 0
  flock --wait "$WAY_BACK_SECONDS" 9 || exit "$code" # in a download it is free, and another may be on a way back
  if [ "$code" -eq "$EXIT_NOTHING_NEW" ]; then
    LAST_WORDS='nothing new'
    note_answered
  elif [ -n "$WHEN_CLOSED" ]; then
    note_put_off "${LAST_WORDS:-$(state_now) failed}"
  fi
  case $code in "$EXIT_NOTHING_NEW" | "$EXIT_REFUSED") note_look ;; esac # asking again tonight would be answered the same
  undo "${LAST_WORDS:-$(state_now) failed}" || code=$EXIT_FAILED
  exit "$code"
}

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

update() {
  [ -z "$WHEN_CLOSED" ] || { judge_first_day; judge_hours; }
  STATE_FROM=$(linked good)
  trap 'give_up $?' EXIT
  trap 'exit 143' TERM INT HUP PIPE
  enter check
  find_release
  STATE_VERSION=$VERSION
  if [ -n "$LOOK_ONLY" ]; then
    say "$VERSION would replace $(linked current). Nothing was changed."
    set_state idle 'nothing was changed'
    return
  fi
  step 1 "Downloading $VERSION"
  enter download
  download
  step 2 'Proving that it is whole and signed'
  enter verify
  verify
  step 3 'Unpacking it beside the release that runs'
  enter unpack
  unpack
  step 4 "Having $VERSION sell and look once, with a bank and a display of its own"
  enter trial
  require_trial
  await_payments
  try_release
}

# try_release: from here on the new release runs; it is kept only if it proves itself.
try_release() {
  local seconds reason
  seconds=$(seconds_of gate_seconds 60)
  FAILED_BEFORE=$(failed_or_silent)
  note_bank
  enter switch
  relink current "$VERSION"
  step 5 "Starting $VERSION and watching it for $seconds s"
  enter restart
  restart_service || go_back 'it did not start'
  enter gate
  reason=$(proves_itself "$VERSION" "$seconds" "$FAILED_BEFORE" "$BANK_BEFORE") || go_back "$reason"
  step 6 'Keeping it'
  enter commit
  relink good "$VERSION" # the moment of no return
  finish_commit
  say "$VERSION runs."
}

# finish_commit: what follows the moment of no return; nothing here can lose the new release.
finish_commit() {
  trap - EXIT
  [ -z "$STATE_FROM" ] || relink previous "$STATE_FROM" || warn 'the way back to the release before could not be noted'
  set_state cleanup || true
  if [ -n "$BANK_BEFORE" ] && reaches_bank; then BANK_BEFORE=''; fi # that is over
  begin_day "$STATE_VERSION" "$FAILED_BEFORE" "$BANK_BEFORE" || true
  reread_units
  rm -rf -- "$UPDATE_DIR/download" "$LANEWARE/left" "${HEAD_DIR:-}" || true
  prune || warn 'old releases could not be removed'
  set_state idle "$STATE_VERSION was installed" || true
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
  hold_on
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

# tell_why CODE: the EXIT trap of a way back that was not gone. Who asked for it by the page of the device reads it there.
tell_why() {
  [ "$1" -ne 0 ] || return 0
  hold_on
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

# take_previous WHY OUTCOME: makes the release before the good one once it runs and proves itself; else fails, and WHY_NOT is why.
# Until then the release that is left stays good: it may sell better than the one before does by now.
take_previous() {
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
  trap 'tell_why $?' EXIT
  trap 'exit 143' TERM INT HUP PIPE
  has_previous || refuse 'there is no whole release before this one on this device'
  good=$(linked good)
  previous=$(linked previous)
  await_payments
  FAILED_BEFORE=$(failed_or_silent)
  note_bank
  set_state undo || true # cut short from here on, what is good runs again; a full disk stops no way back
  take_previous 'it was left by hand' "$good was left for $previous by hand" || {
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
  why=$(fault_of_first_day "$good" "$previous") || { note_sales "$good" || warn "it cannot be noted what sells with $good"; return 0; }
  has_previous || return 0
  warn "$good gives way to $previous: $why"
  WHEN_CLOSED='' await_payments
  FAILED_BEFORE=$(failed_before "$good")
  if [ "$why" = "$NO_BANK" ]; then BANK_BEFORE=$(bank_before "$good"); else note_bank; fi
  set_state undo || true # cut short from here on, what is good runs again; a full disk stops no way back
  if take_previous "$why" "$good gave way to $previous: $why"; then
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
  keep_left "$left"
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
    if take_previous "$why" "$good could not stay up; $previous runs again: $why"; then return; fi
    relink current "$good" || true # the device is started again also where no link can be written
    warn "neither $good nor $previous stays up ($WHY_NOT): the fault is not in the release"
  fi
  pause=$(seconds_of rescue_pause_seconds 60)
  warn "$good cannot stay up: trying again in $pause s"
  sleep "$pause"
  restart_service
}
