# shellcheck shell=bash
# Whether the system's own security updates are installed by this device: a timer with its service, and the rules that apt reads.
# All are links into the release, made here and not with the other units: a device may have come to this release by an update,
# which links nothing. Sourced, after units.sh.

readonly OS_UNITS=(laneware-os-update.service laneware-os-update.timer) OS_TIMER=laneware-os-update.timer
readonly APT_RULES=/etc/apt/apt.conf.d/99laneware-security-updates

security_updates_on() {
  local unit
  for unit in "${OS_UNITS[@]}"; do link_to "/opt/laneware/good/systemd/$unit" "$UNIT_DIR/$unit"; done
  link_to "/opt/laneware/good/systemd/apt/${APT_RULES##*/}" "$APT_RULES"
  link_to "$UNIT_DIR/$OS_TIMER" "$UNIT_DIR/timers.target.wants/$OS_TIMER"
}

security_updates_off() {
  local unit
  for unit in "${OS_UNITS[@]}"; do rm -f -- "$ROOT$UNIT_DIR/$unit"; done
  rm -f -- "$ROOT$APT_RULES" "$ROOT$UNIT_DIR/timers.target.wants/$OS_TIMER"
}

has_apt() { [ -d "$ROOT/etc/apt" ]; }

# turn_security_updates yes|no: for this boot too, where the system runs. Fails where there is no apt.
turn_security_updates() {
  if [ "$1" = no ]; then
    [ -n "$ROOT" ] || systemctl stop --no-block "$OS_TIMER" 2>/dev/null || true # it may never have been on
    security_updates_off
    return
  fi
  has_apt || return
  security_updates_on
  [ -n "$ROOT" ] || { systemctl daemon-reload && systemctl start --no-block "$OS_TIMER"; } ||
    warn 'security updates are looked for from the next start on'
}
