# shellcheck shell=bash
# What is missing on this board, in plain words. Sourced.

MISSING=0

found() { printf '  ok       %s\n' "$1"; }
missing() { # WHAT REMEDY
  printf '  MISSING  %s\n           %s\n' "$1" "$2"
  MISSING=$((MISSING + 1))
}
# judge_part CONDITION… -- WHAT REMEDY
judge_part() {
  local command=()
  while [ "$1" != -- ]; do command+=("$1"); shift; done
  shift
  if "${command[@]}" >/dev/null 2>&1; then found "$1"; else missing "$1" "$2"; fi
}

has() { command -v "$1"; }
server_there() { [ -x "$LANEWARE/current/bin/nats-server" ] || has nats-server; }
runs() { systemctl is-active --quiet "$1"; }
camera_there() { [ -e /dev/video0 ] || [ -e /dev/media0 ]; }
uart_there() { [ -e /dev/serial0 ] || [ -e /dev/ttyAMA0 ] || [ -e /dev/ttyS0 ]; }
uart_free() { ! grep -Eq 'console=(serial0|ttyAMA|ttyS0)' /proc/cmdline; }
installed() { [ -e "$LANEWARE/good/RELEASE" ]; }
clock_right() { [ "$(date +%s)" -gt "$(stat -c %Y "$LANEWARE/good/RELEASE")" ]; }
memory_enough() { [ "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)" -gt 800000 ]; }
both_answer() { [ -n "$(version_on terminal)" ] && [ -n "$(version_on recognition)" ]; }
uses_camera() { [ ! -e "$CONFIG_DIR/config.json" ] || grep -Eq '"driver": *"libcamera' "$CONFIG_DIR/config.json"; }

# check_device: prints the list; MISSING counts what is not there. Parts that a lane can do without say so.
check_device() {
  echo 'What this board has:'
  if installed; then
    judge_part runs laneware.service -- 'the device runs' 'its last words: journalctl -u laneware -n 30'
    judge_part both_answer -- 'both ports answer' 'journalctl -u laneware -n 30 says why not'
    judge_part clock_right -- 'a clock that is right' 'connect the network, or set it: timedatectl set-time "2026-01-31 12:00:00"'
  else
    missing 'Laneware' 'sudo install.sh --release FILE --key KEY.pub.pem'
  fi
  judge_part memory_enough -- '1 GB of memory' 'take a board with 1 GB or more'
  judge_part runs dbus.service -- 'D-Bus' 'apt-get install dbus'
  judge_part has pkcheck -- 'polkit, for setting the clock, reboot and factory reset' 'apt-get install polkitd'
  judge_part runs bluetooth.service -- 'Bluetooth' 'apt-get install bluez; only for a display over Bluetooth'
  if uses_camera; then
    judge_part has rpicam-vid -- "the camera's programs" 'they are in Raspberry Pi OS: apt-get install rpicam-apps-lite'
    judge_part camera_there -- 'a camera' 'connect its ribbon cable with the power off, then start again'
  fi
  judge_part uart_there -- 'a UART for the display' 'enable_uart=1 in config.txt; only for a display on the GPIO header'
  judge_part uart_free -- 'the UART free of a login console' 'reboot: the console is switched off at the next start'
  judge_part server_there -- 'nats-server' 'apt-get install nats-server; only on the master of a store'
  if [ "$MISSING" -eq 0 ]; then echo 'Nothing is missing.'; else echo "$MISSING of these are missing."; fi
}
