# shellcheck shell=bash
# The trial of a release before the device changes over to it: with its own code it makes one sale and one recognition
# (firmware/tools/trial/trial.ts). systemd runs it beside the device: as a user of its own, with a network of its own, and in a
# folder that systemd removes, however it ends. Sourced.

# It needs less than 350 MB on one core, and a device beside it: both fit a board of 1 GB. The shop has the other cores.
readonly TRIAL_PROPERTIES=(
  DynamicUser=yes PrivateNetwork=yes PrivateTmp=yes PrivateDevices=yes ProtectHome=yes ProtectProc=invisible
  CapabilityBoundingSet= MemoryMax=400M TasksMax=128 CPUAffinity=0 Nice=10 IOSchedulingClass=idle KillSignal=SIGKILL
)
readonly EXIT_UNFIT=3 # of firmware/tools/trial/main.ts: its last line says what it cannot do

# trial_of VERSION: fails where it does not sell or does not recognise, or where its updater, which brings the next release and
# every way back, does not even start; says why. An earlier release brings no trial.
trial_of() {
  local release=$RELEASES/$1 said rc=0
  said=$(timeout --signal KILL "$(seconds_of trial_seconds 300)" "$release/scripts/update/ota.sh" status 2>&1 >/dev/null 9>&-) || {
    said=$(head -n 1 <<<"$said" | cut -c 1-300)
    printf 'its updater does not start: %s' "${said:-it says nothing}"
    return 1
  }
  [ -e "$release/bundle/trial.js" ] || return 0
  said=$(systemd-run --quiet --wait --pipe --collect --description="Laneware: the trial of $1" \
    "${TRIAL_PROPERTIES[@]/#/--property=}" --property="RuntimeMaxSec=$(seconds_of trial_seconds 300)" \
    -- "$release/bin/node" --max-semi-space-size=8 "$release/bundle/trial.js" 2>&1 9>&-) || rc=$?
  [ "$rc" -ne 0 ] || return 0
  said=$(tail -n 1 <<<"$said" | cut -c 1-300)
  if [ "$rc" -eq "$EXIT_UNFIT" ]; then printf '%s' "$said"; else printf 'its trial ended at: %s' "${said:-its start}"; fi
  return 1
}

# require_trial: VERSION sells and recognises here. Where the release that works does no better, the fault is in the machine, and
# the trial says nothing of VERSION.
require_trial() {
  local why same
  why=$(trial_of "$VERSION") && return
  if ! same=$(trial_of "$(linked good)"); then
    warn "the trial of $VERSION says nothing, for $(linked good) does no better ($same)"
    return
  fi
  blame "$VERSION" "$MAX_ATTEMPTS" "$why" || true
  fail "$EXIT_WENT_BACK" "$(linked good) runs on; $VERSION was undone because $why"
}
