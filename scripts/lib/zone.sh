# shellcheck shell=bash
# The time zone of the machine: of the days of reports, and of the hours in which updates come. Sourced.

readonly ZONE_FOLDER=/usr/share/zoneinfo

# is_zone NAME: whether the system knows it; `localtime` there is the zone that is set by now.
is_zone() {
  [[ $1 =~ ^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}$ ]] && [ "$1" != localtime ] &&
    [ "$(head -c 4 "$ROOT$ZONE_FOLDER/$1" 2>/dev/null)" = TZif ]
}

# set_zone NAME: as timedatectl does it, also for a system that does not run.
set_zone() {
  ln -sfn "..$ZONE_FOLDER/$1" "$ROOT/etc/localtime.new" && mv -T "$ROOT/etc/localtime.new" "$ROOT/etc/localtime" || return
  [ ! -e "$ROOT/etc/timezone" ] || printf '%s\n' "$1" | durable_write "$ROOT/etc/timezone"
}

# zone_name: the one that is set, for people.
zone_name() {
  local link
  link=$(readlink "$ROOT/etc/localtime") || link=/zoneinfo/UTC
  printf '%s' "${link#*/zoneinfo/}"
}
