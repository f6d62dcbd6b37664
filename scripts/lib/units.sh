# shellcheck shell=bash
# The links by which the system has a release's units, the rules beside them, and its commands. Sourced.
#
# Units, rules and commands are links into a release, so that an update brings its own and going back brings back those before.
# Linked from `good`: units that end an update or mend the device, all rules, and laneware-ota. Linked from `current`: all other
# units, and lanectl. The text before a sign-in at the console is a link into /run.

readonly UNIT_DIR=/etc/systemd/system
readonly GOOD_UNITS=(laneware-recover.service laneware-update.service laneware-update.timer laneware-rescue.service
  laneware-update-now.service laneware-rollback.service
  laneware-factory-reset.service laneware-firstboot.service laneware-options.service)
readonly CURRENT_UNITS=(laneware.service laneware-claim.service laneware-claim.path
  laneware-master.socket laneware-master@.service)
readonly ENABLED_UNITS=(laneware.service laneware-recover.service laneware-update.timer laneware-claim.path)

# link in the system → file in the release
readonly RULES=(
  /usr/lib/sysusers.d/laneware.conf:sysusers.conf
  /usr/lib/tmpfiles.d/laneware.conf:tmpfiles.conf
  /etc/udev/rules.d/70-laneware.rules:udev/70-laneware.rules
  /etc/polkit-1/rules.d/50-laneware.rules:polkit/50-laneware.rules
  /etc/systemd/journald.conf.d/50-laneware.conf:journald.conf.d/50-laneware.conf
  /etc/systemd/system.conf.d/50-laneware.conf:system.conf.d/50-laneware.conf
)
readonly OTA_COMMAND=/usr/local/sbin/laneware-ota LANECTL_COMMAND=/usr/local/bin/lanectl
# Debian's agetty looks into /run/issue.d only where there is no /etc/issue; what is linked is in memory, or nowhere.
readonly CONSOLE_LINK=/etc/issue.d/laneware.issue CONSOLE_TEXT=/run/laneware-claim/issue

link_to() { # TARGET LINK
  mkdir -p "$(dirname "$ROOT$2")"
  ln -sfnT "$1" "$ROOT$2"
}

link_units() {
  local unit rule
  for unit in "${GOOD_UNITS[@]}"; do link_to "/opt/laneware/good/systemd/$unit" "$UNIT_DIR/$unit"; done
  for unit in "${CURRENT_UNITS[@]}"; do link_to "/opt/laneware/current/systemd/$unit" "$UNIT_DIR/$unit"; done
  for rule in "${RULES[@]}"; do link_to "/opt/laneware/good/systemd/${rule#*:}" "${rule%%:*}"; done
  link_to /opt/laneware/good/scripts/update/ota.sh "$OTA_COMMAND"
  link_to /opt/laneware/current/scripts/lanectl.sh "$LANECTL_COMMAND"
  link_to "$CONSOLE_TEXT" "$CONSOLE_LINK"
}

# enable_unit UNIT: what `systemctl enable` does, also for a system that does not run.
enable_unit() {
  local by folder
  while read -r by; do
    folder=${by#*=}.wants
    [[ $by != RequiredBy=* ]] || folder=${by#*=}.requires
    link_to "$UNIT_DIR/$1" "$UNIT_DIR/$folder/$1"
  done < <(grep -E '^(Wanted|Required)By=' "$RELEASES/$(linked good)/systemd/$1")
}

unlink_units() {
  local unit rule
  for unit in "${GOOD_UNITS[@]}" "${CURRENT_UNITS[@]}"; do
    rm -f -- "$ROOT$UNIT_DIR/$unit" "$ROOT$UNIT_DIR"/*.{wants,requires}/"$unit"
  done
  for rule in "${RULES[@]}"; do rm -f -- "$ROOT${rule%%:*}"; done
  rm -f -- "$ROOT$OTA_COMMAND" "$ROOT$LANECTL_COMMAND" "$ROOT$CONSOLE_LINK"
}
