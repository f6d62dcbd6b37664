# shellcheck shell=bash
# An update, step by step; way-back.sh undoes it. Sourced by ota.sh.
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
  follow_carried_statements "$HEAD_DIR"
  judge_head "$HEAD_DIR"
  [ -n "$LOOK_ONLY" ] || record_time || warn 'the time cannot be noted'
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
  follow_statements "$HEAD_DIR/statements" "$HEAD_DIR"
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

# abandon_update CODE: the EXIT trap of an update that has not reached its end.
abandon_update() {
  local code=$1
  ignore_signals
  trap - EXIT
  rm -rf -- "${HEAD_DIR:-}" || true
  [ "$code" -ne 0 ] || return 0
  flock --wait "$WAY_BACK_SECONDS" 9 || exit "$code" # in a download it is free, and another may be on a way back
  if [ "$code" -eq "$EXIT_NOTHING_NEW" ]; then
    LAST_WORDS='nothing new'
    clear_put_off
  elif [ -n "$WHEN_CLOSED" ]; then
    record_put_off "${LAST_WORDS:-$(state_now) failed}"
  fi
  case $code in "$EXIT_NOTHING_NEW" | "$EXIT_REFUSED") record_look ;; esac # asking again tonight would be answered the same
  undo "${LAST_WORDS:-$(state_now) failed}" || code=$EXIT_FAILED
  exit "$code"
}

update() {
  [ -z "$WHEN_CLOSED" ] || { judge_first_day; judge_hours; }
  STATE_FROM=$(linked good)
  trap 'abandon_update $?' EXIT
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
  record_bank_before
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
