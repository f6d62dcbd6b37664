# shellcheck shell=bash
# What is missing on this board, in plain words. Sourced.
#
#   ok         it is there
#   MISSING    the lane does not work, or not safely, without it: counted, and the exit status
#   optional   only who uses it needs it
#   to come    the installation brings it

MISSING=0

report() { # WORD WHAT [REMEDY]
  printf '  %-8s  %s\n' "$1" "$2"
  [ -z "${3:-}" ] || printf '            %s\n' "$3"
}
missing() { # WHAT REMEDY
  report MISSING "$@"
  MISSING=$((MISSING + 1))
}
# judge_part WORD CONDITION… -- WHAT REMEDY: reports WHAT as ok where the condition holds, else by that word, with the remedy.
judge_part() {
  local word=$1 command=()
  shift
  while [ "$1" != -- ]; do command+=("$1"); shift; done
  shift
  if "${command[@]}" >/dev/null 2>&1; then report ok "$1"
  elif [ "$word" = MISSING ]; then missing "$@"
  else report "$word" "$@"; fi
}

has() { command -v "$1"; }
has_all() { local program; for program; do has "$program" || return; done; }
server_there() { [ -x "$LANEWARE/current/bin/nats-server" ] || has nats-server; }
runs() { systemctl is-active --quiet "$1"; }
# camera_there: asks the camera's programs. /dev/video0 and /dev/media0 exist without a camera, too: they are codecs of the board.
readonly CAMERA_SECONDS=10
camera_there() { timeout "$CAMERA_SECONDS" rpicam-hello --list-cameras 2>&1 | grep -Eq '^[0-9]+ : '; }
system_of_64_bits() { [ "$(machine)" != armv7l ]; }
# uart_there: that of the GPIO header. On a Pi 5 (bcm2712) /dev/serial0 is the debug connector, and not the header.
is_pi5() { [[ $(board_names) == *bcm2712* ]]; }
uart_there() {
  [ -e "$ROOT/dev/ttyAMA0" ] || { ! is_pi5 && { [ -e "$ROOT/dev/serial0" ] || [ -e "$ROOT/dev/ttyS0" ]; }; }
}
# uart_free FILE: whether no login console stands in that kernel command line.
uart_free() { [ ! -r "$1" ] || [ -z "$(uart_consoles <"$1")" ]; }
installed() { [ -e "$LANEWARE/good/RELEASE" ]; }
clock_right() { [ "$(date +%s)" -gt "$(stat -c %Y "$LANEWARE/good/RELEASE")" ]; }
memory_enough() { [ "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)" -gt 800000 ]; }
both_answer() { [ -n "$(version_on terminal)" ] && [ -n "$(version_on recognition)" ]; }
uses_camera() { grep -Eq '"driver": *"libcamera' "$CONFIG_DIR/config.json"; }

# check_camera: before the installation it is unknown whether there is to be one.
check_camera() {
  local word=optional
  if [ -e "$CONFIG_DIR/config.json" ]; then
    uses_camera || return 0
    word=MISSING
  fi
  judge_part "$word" has rpicam-vid -- "the camera's programs" 'they are in Raspberry Pi OS: apt-get install rpicam-apps-lite'
  judge_part "$word" camera_there -- 'a camera' 'connect its ribbon cable with the power off, then start again'
}

# check_memory: without the controller every MemoryMax= is void, and one process takes the whole board with it. Where the kernel
# says nothing of it, as in a folder, nothing is judged.
CONTROLLERS=$ROOT/sys/fs/cgroup/cgroup.controllers
memory_limited() {
  if [ -r "$CONTROLLERS" ]; then grep -qw memory "$CONTROLLERS"
  else awk '$1 == "memory" && $4 == 1 { found = 1 } END { exit !found }' "$ROOT/proc/cgroups"; fi
}
check_memory() {
  local what='limits of memory (MemoryMax=)' file
  [ -r "$CONTROLLERS" ] || [ -r "$ROOT/proc/cgroups" ] || return 0
  if memory_limited; then report ok "$what"
  elif ! installed && is_pi; then report 'to come' "$what" "the installation switches them on (${MEMORY_WORDS[*]} in cmdline.txt), from the next start on"
  elif file=$(boot_file cmdline.txt) && grep -qw "${MEMORY_WORDS[0]}" "$file"; then missing "$what" 'reboot: they are switched on from the next start on'
  else missing "$what" "put ${MEMORY_WORDS[*]} at the end of the kernel's command line (cmdline.txt), and reboot"; fi
}

# check_console: a display on the GPIO header needs the UART for itself. The console that runs is of the last start.
check_console() {
  local what='the UART free of a login console' file
  if uart_free "$ROOT/proc/cmdline"; then report ok "$what"
  elif ! installed && is_pi; then report 'to come' "$what" 'the installation switches it off (--keep-console leaves it), from the next start on'
  elif file=$(boot_file cmdline.txt) && uart_free "$file"; then
    report optional "$what" 'reboot: it is switched off from the next start on; only for a display on the GPIO header'
  else
    report optional "$what" "take console=… out of the kernel's command line, and reboot; only for a display on the GPIO header"
  fi
}

# check_root: only on a card that image.sh --read-only has made.
data_kept() { [ "$(value_of data "$READ_ONLY_STATE")" = ok ]; }
check_root() {
  [ -e "$READ_ONLY_STATE" ] || return 0
  judge_part optional root_in_memory -- 'the root is read-only: what is written beside the kept folders is gone at the next start' \
    'it can be written to: take laneware.root=writable out of cmdline.txt when the system is maintained, and restart'
  judge_part MISSING data_kept -- 'the data partition' "$(value_of why "$READ_ONLY_STATE"); /health, part disk, says what to do"
}

# check_device: prints the list; MISSING counts what a lane needs and what is not there.
check_device() {
  echo 'What this board has:'
  if installed; then
    judge_part MISSING runs laneware.service -- 'the device runs' 'its last words: journalctl -u laneware -n 30'
    judge_part MISSING both_answer -- 'both ports answer' 'journalctl -u laneware -n 30 says why not'
    judge_part MISSING clock_right -- 'a clock that is right' 'connect the network, or set it: timedatectl set-time "2026-01-31 12:00:00"'
  else
    report 'to come' 'Laneware' 'sudo install.sh --release FILE --key KEY.pub.pem'
  fi
  check_root
  judge_part MISSING system_of_64_bits -- 'a system of 64 bits' 'write the 64-bit Raspberry Pi OS Lite to the card'
  judge_part MISSING memory_enough -- '1 GB of memory' 'take a board with 1 GB or more'
  check_memory
  judge_part MISSING has_all "${RELEASE_PROGRAMS[@]}" -- 'the programs that install releases' "apt-get install $RELEASE_PACKAGES"
  judge_part MISSING runs dbus.service -- 'D-Bus' 'apt-get install dbus'
  judge_part MISSING has pkcheck -- 'polkit, for setting the clock, reboot and factory reset' 'apt-get install polkitd'
  check_camera
  judge_part optional runs bluetooth.service -- 'Bluetooth' 'apt-get install bluez; only for a display over Bluetooth'
  judge_part optional uart_there -- 'a UART for the display' "$(is_pi5 && echo "$PI5_UART" || echo enable_uart=1) in config.txt; only for a display on the GPIO header"
  check_console
  [ -d "$ROOT/sys/class/gpio" ] || judge_part optional has_all gpiodetect gpiomon gpioset -- 'the programs for lamp, LED and button' 'apt-get install gpiod; only where one is wired'
  judge_part optional has aplay -- 'the player of the voice' 'apt-get install alsa-utils; only where a speaker is to announce payments'
  judge_part optional server_there -- 'nats-server' 'apt-get install nats-server; only on the master of a store'
  judge_part optional has nft -- 'nft, for the limit before the port of a store' 'apt-get install nftables; only on the master of a store'
  if [ "$MISSING" -eq 0 ]; then echo 'Nothing is missing.'; else echo "$MISSING of these are missing."; fi
}
