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

# What of the boot files was changed, to be undone by the removal: lines of FILE:WORD.
UART_NOTES=$CONFIG_DIR/boot-files

readonly UART_CONSOLE='console=(serial0|ttyAMA[0-9]+|ttyS0)(,[^ ]*)?'

# uart_consoles: the consoles on a UART of a kernel command line, a line each.
uart_consoles() { tr ' ' '\n' | grep -xE "$UART_CONSOLE" || true; }

# without_console: a kernel command line without them. Two side by side share the space between them.
without_console() { sed -E ":next; s/(^| )$UART_CONSOLE( |\$)/ /; t next; s/  +/ /g; s/^ //; s/ \$//"; }

# rewrite FILE FILTER…: nothing is written where the filter changes nothing.
rewrite() {
  "${@:2}" <"$1" >"$1.new" || return
  if cmp -s "$1" "$1.new"; then rm -f -- "$1.new"; else sync "$1.new" && mv -f "$1.new" "$1"; fi
}

# is_set SECTIONS PATTERN FILE: whether a line of config.txt sets that for the boards of one of those sections.
is_set() {
  awk -v sections=" $1 " 'BEGIN { section = "[all]" } { sub(/[ \r]+$/, "") } /^\[/ { section = $0 } index(sections, " " section " ")' "$3" |
    grep -q "$2"
}

# with_setting LINE: config.txt with that line, for every board: what follows [pi4] holds for a Pi 4 alone.
with_setting() {
  awk -v line="$1" '{ print } /^\[/ { section = $0 } END { if (section != "" && section !~ /^\[all\]/) print "[all]"; print line }'
}

# note LINE…: before the change that it speaks of, so that a power cut between leaves no change without its note.
note() {
  local known=''
  [ ! -e "$UART_NOTES" ] || known=$(<"$UART_NOTES")
  printf '%s\n' "$known" "$@" | awk 'NF && !there[$0]++' | durable_write "$UART_NOTES"
}

# noted FILE: what was noted of it, a line each.
noted() { [ ! -e "$UART_NOTES" ] || sed -n "s/^$1://p" "$UART_NOTES"; }

# On a Pi 5 the header is UART0 (ttyAMA0), which this switches on; enable_uart=1 and /dev/serial0 are those of its debug connector
# (ttyAMA10) there. Other boards pass over the section.
readonly PI5_UART='dtparam=uart0=on'
with_pi5_uart() { awk -v line="$PI5_UART" '{ print } END { print "[pi5]\n" line "\n[all]" }'; }
without_pi5_uart() { sed -z "s/\[pi5\]\n$PI5_UART\n\[all\]\n//"; }

# The firmware of a Raspberry Pi puts cgroup_disable=memory in front of cmdline.txt, which makes every MemoryMax= void; of two such
# words the kernel takes the later.
readonly MEMORY_WORDS=(cgroup_enable=memory cgroup_memory=1)

# with_words WORD…, without_words WORD…: the kernel command line with, or without them.
with_words() {
  awk -v words="$*" 'NR == 1 { sub(/[ \r]+$/, ""); n = split(words, word, " ")
    for (i = 1; i <= n; i++) if (!index(" " $0 " ", " " word[i] " ")) $0 = $0 ($0 == "" ? "" : " ") word[i] } { print }'
}
without_words() {
  awk -v words=" $* " 'NR == 1 { line = ""; for (i = 1; i <= NF; i++) if (!index(words, " " $i " ")) line = line (line == "" ? "" : " ") $i
    $0 = line } { print }'
}

# limit_memory: has the kernel keep the limits of memory that the units ask for, from the next start on.
limit_memory() {
  local file word
  file=$(boot_file cmdline.txt) || return 0
  for word in "${MEMORY_WORDS[@]}"; do
    grep -qE "(^| )$word( |\$)" "$file" || note "memory:$word"
  done
  rewrite "$file" with_words "${MEMORY_WORDS[@]}"
}

# free_uart: works upon the boot files as they are now, not as an earlier installation has found them.
free_uart() {
  local file tty
  local -a consoles
  if file=$(boot_file cmdline.txt); then
    mapfile -t consoles < <(uart_consoles <"$file")
    [ ${#consoles[@]} -eq 0 ] || note "${consoles[@]/#/cmdline.txt:}"
    rewrite "$file" without_console
  fi
  if file=$(boot_file config.txt) && ! is_set '[all]' '^enable_uart=' "$file"; then # what is set already is left alone
    note config.txt:enable_uart=1
    rewrite "$file" with_setting enable_uart=1
  fi
  if file=$(boot_file config.txt) && ! is_set '[all] [pi5]' "^$PI5_UART" "$file"; then
    note pi5:uart0
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

# give_boot_back: undoes what was noted, and nothing else that is in the boot files by now.
give_boot_back() {
  local file tty
  local -a consoles words
  mapfile -t words < <(noted memory)
  if [ ${#words[@]} -gt 0 ] && file=$(boot_file cmdline.txt); then rewrite "$file" without_words "${words[@]}"; fi
  mapfile -t consoles < <(noted cmdline.txt)
  if [ ${#consoles[@]} -gt 0 ] && file=$(boot_file cmdline.txt); then rewrite "$file" with_consoles "${consoles[@]}"; fi
  if [ -n "$(noted config.txt)" ] && file=$(boot_file config.txt); then rewrite "$file" sed '0,/^enable_uart=1$/{//d}'; fi
  if [ -n "$(noted pi5)" ] && file=$(boot_file config.txt); then rewrite "$file" without_pi5_uart; fi
  rm -f -- "$UART_NOTES"
  for tty in serial0 ttyAMA0 ttyS0; do rm -f -- "$ROOT$UNIT_DIR/serial-getty@$tty.service"; done
}
