# shellcheck shell=bash
# The boot files of a Raspberry Pi (cmdline.txt, config.txt): reads and changes them, and records each change, so that the removal
# undoes it. Sourced.

# boot_file NAME: a file of the boot partition, which is mounted in one place or the other.
boot_file() {
  local folder
  for folder in "$ROOT/boot/firmware" "$ROOT/boot"; do
    [ -f "$folder/$1" ] && { printf '%s' "$folder/$1"; return; }
  done
  return 1
}

# The changes of the boot files: lines of SUBJECT:WORD.
BOOT_CHANGES=$CONFIG_DIR/boot-files

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

# record_change LINE…: before the change itself, so that a power cut between leaves no change without its record.
record_change() {
  local known=''
  [ ! -e "$BOOT_CHANGES" ] || known=$(<"$BOOT_CHANGES")
  printf '%s\n' "$known" "$@" | awk 'NF && !there[$0]++' | durable_write "$BOOT_CHANGES"
}

# changes_of SUBJECT: its recorded changes, a line each.
changes_of() { [ ! -e "$BOOT_CHANGES" ] || sed -n "s/^$1://p" "$BOOT_CHANGES"; }

forget_changes() { rm -f -- "$BOOT_CHANGES"; }
