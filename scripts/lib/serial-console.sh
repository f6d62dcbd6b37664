# shellcheck shell=bash
# Raspberry Pi OS may keep the UART of the GPIO header for a login console: a display there would be sent kernel messages,
# and its answers be taken for a login. Sourced, after boot-files.sh.

readonly UART_CONSOLE='console=(serial0|ttyAMA[0-9]+|ttyS0)(,[^ ]*)?'

# uart_consoles: the consoles on a UART of a kernel command line, a line each.
uart_consoles() { tr ' ' '\n' | grep -xE "$UART_CONSOLE" || true; }

# without_console: a kernel command line without them. Two side by side share the space between them.
without_console() { sed -E ":next; s/(^| )$UART_CONSOLE( |\$)/ /; t next; s/  +/ /g; s/^ //; s/ \$//"; }

# On a Pi 5 the header is UART0 (ttyAMA0), which this switches on; enable_uart=1 and /dev/serial0 are those of its debug connector
# (ttyAMA10) there. Other boards pass over the section.
readonly PI5_UART='dtparam=uart0=on'
with_pi5_uart() { awk -v line="$PI5_UART" '{ print } END { print "[pi5]\n" line "\n[all]" }'; }
without_pi5_uart() { sed -z "s/\[pi5\]\n$PI5_UART\n\[all\]\n//"; }

# free_uart: works upon the boot files as they are now, not as an earlier installation has found them.
free_uart() {
  local file tty
  local -a consoles
  if file=$(boot_file cmdline.txt); then
    mapfile -t consoles < <(uart_consoles <"$file")
    [ ${#consoles[@]} -eq 0 ] || record_change "${consoles[@]/#/cmdline.txt:}"
    rewrite "$file" without_console
  fi
  if file=$(boot_file config.txt) && ! is_set '[all]' '^enable_uart=' "$file"; then # what is set already is left alone
    record_change config.txt:enable_uart=1
    rewrite "$file" with_setting enable_uart=1
  fi
  if file=$(boot_file config.txt) && ! is_set '[all] [pi5]' "^$PI5_UART" "$file"; then
    record_change pi5:uart0
    rewrite "$file" with_pi5_uart
  fi
  for tty in serial0 ttyAMA0 ttyS0; do link_to /dev/null "$UNIT_DIR/serial-getty@$tty.service"; done
}

# with_consoles CONSOLE…: a kernel command line with those in front that it does not have; the last one stays the main one.
with_consoles() {
  local line console missing=''
  IFS= read -r line || true
  for console; do [[ " $line " == *" $console "* ]] || missing+="$console "; done
  printf '%s%s\n' "$missing" "$line"
  cat
}

# restore_console: undoes the recorded changes, and leaves all else that is in the boot files by now.
restore_console() {
  local file tty
  local -a consoles
  mapfile -t consoles < <(changes_of cmdline.txt)
  if [ ${#consoles[@]} -gt 0 ] && file=$(boot_file cmdline.txt); then rewrite "$file" with_consoles "${consoles[@]}"; fi
  if [ -n "$(changes_of config.txt)" ] && file=$(boot_file config.txt); then rewrite "$file" sed '0,/^enable_uart=1$/{//d}'; fi
  if [ -n "$(changes_of pi5)" ] && file=$(boot_file config.txt); then rewrite "$file" without_pi5_uart; fi
  for tty in serial0 ttyAMA0 ttyS0; do rm -f -- "$ROOT$UNIT_DIR/serial-getty@$tty.service"; done
}
