# shellcheck shell=bash
# The Wi-Fi of Raspberry Pi OS: off until somebody names the country, and connected by NetworkManager. Sourced.

NM_DIR=$ROOT/etc/NetworkManager

# byte_list TEXT: as NetworkManager takes any name of a network (nm-settings-keyfile(5)); no sign of it means anything there.
byte_list() { printf '%s' "$1" | od -An -v -t u1 | tr -s ' \n' ';' | sed 's/^;//; s/;*$/;/'; }

# key_value TEXT: as a value of a key file, where a backslash and spaces at the ends mean something.
key_value() {
  local text=${1//\\/\\\\}
  printf '%s' "${text// /\\s}"
}

connect_wifi() { # SSID PASSWORD HIDDEN
  [ -d "$NM_DIR" ] || impossible 'needs NetworkManager, which this system does not have'
  mkdir -p "$NM_DIR/system-connections"
  (
    umask 077 # NetworkManager takes no connection that others can read
    {
      printf '[connection]\nid=laneware\nuuid=%s\ntype=wifi\n' "$(</proc/sys/kernel/random/uuid)"
      printf '\n[wifi]\nmode=infrastructure\nssid=%s\n' "$(byte_list "$1")"
      [ "$3" != yes ] || printf 'hidden=true\n'
      [ -z "$2" ] || printf '\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=%s\n' "$(key_value "$2")"
      printf '\n[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n'
    } | durable_write "$NM_DIR/system-connections/laneware.nmconnection"
  )
}

# switch_radio_on: what keeps it off in an image that was flashed without a country, for this boot and those after it.
switch_radio_on() {
  local file
  for file in "$ROOT"/var/lib/systemd/rfkill/*:wlan; do
    [ ! -f "$file" ] || printf '0\n' | durable_write "$file"
  done
  file=$ROOT/var/lib/NetworkManager/NetworkManager.state
  [ ! -f "$file" ] || sed 's/^WirelessEnabled=.*/WirelessEnabled=true/' "$file" | durable_write "$file"
  [ -n "$ROOT" ] || ! command -v rfkill >/dev/null || rfkill unblock wifi || warn 'the radio of this boot stays off'
}

readonly COUNTRY_OPTION='cfg80211.ieee80211_regdom'

# with_country CODE: a kernel command line that names it, once.
with_country() {
  sed -E "1{:next; s/(^| )$COUNTRY_OPTION=[^ ]*/\\1/; t next; s/  +/ /g; s/^ //; s/ *\$/ $COUNTRY_OPTION=$1/}"
}

set_country() { # CODE
  local file
  if file=$(boot_file cmdline.txt); then rewrite "$file" with_country "$1"; fi
  [ -n "$ROOT" ] || ! command -v iw >/dev/null || iw reg set "$1" || warn 'the country holds from the next start on'
}
