# shellcheck shell=bash
# Raspberry Pi OS may keep the UART of the GPIO header for a login console: a display there would be sent kernel messages,
# and its answers be taken for a login. Sourced.

# boot_file NAME: a file of the boot partition, which is mounted in one place or the other.
boot_file() {
  local folder
  for folder in "$ROOT/boot/firmware" "$ROOT/boot"; do
    [ -f "$folder/$1" ] && { printf '%s' "$folder/$1"; return; }
  done
  return 1
}

# without_console LINE: a kernel command line without a console on a UART.
without_console() { sed -E 's/(^| )console=(serial0|ttyAMA[0-9]+|ttyS0)(,[^ ]*)?( |$)/ /g; s/  +/ /g; s/^ //'; }

# with_uart: a config.txt in which the UART is on; what is set already is left alone.
with_uart() { awk '{ print } /^enable_uart=/ { found = 1 } END { if (!found) print "enable_uart=1" }'; }

rewrite() { # FILE FILTER
  [ -e "$1.before-laneware" ] || cp -p -- "$1" "$1.before-laneware"
  "$2" <"$1.before-laneware" >"$1.new" && sync "$1.new" && mv -f "$1.new" "$1"
}

free_uart() {
  local file tty
  file=$(boot_file cmdline.txt) && rewrite "$file" without_console
  file=$(boot_file config.txt) && rewrite "$file" with_uart
  for tty in serial0 ttyAMA0 ttyS0; do link_to /dev/null "$UNIT_DIR/serial-getty@$tty.service"; done
}

give_uart_back() {
  local name file tty
  for name in cmdline.txt config.txt; do
    if file=$(boot_file "$name") && [ -e "$file.before-laneware" ]; then mv -f "$file.before-laneware" "$file"; fi
  done
  for tty in serial0 ttyAMA0 ttyS0; do rm -f -- "$ROOT$UNIT_DIR/serial-getty@$tty.service"; done
}
