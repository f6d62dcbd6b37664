# shellcheck shell=bash
# What somebody else may have written, read by root: taken as it is, in one reading, within bounds. Sourced.
#
# A file of the device's own user may be a link to what only root reads, a pipe without a writer, a terabyte of
# zeros, and another file at the next look. So nothing is followed or waited for, and what was read is what is judged.

readonly READ_SECONDS=5 TAKE_SECONDS=900

# first_bytes FILE BYTES: of a plain file that is no link, without NUL bytes; fails on all else.
first_bytes() {
  [ -f "$1" ] && [ ! -L "$1" ] || return
  # it may have been replaced by now: no link is followed, no writer waited for
  timeout --foreground "$READ_SECONDS" dd if="$1" iflag=nofollow,nonblock,fullblock,count_bytes bs=64K count="$2" status=none 2>/dev/null |
    tr -d '\0'
}

# take FILE COPY BYTES: copies a plain file that a person has named, and no more of it than so many bytes. Who may write
# its folder can put another in its place at any moment: what is judged and used is the copy, in a place of root's own. Says
# on standard error why it fails.
take() {
  local file
  file=$(readlink -e -- "$1") || { echo 'there is no such file' >&2; return 1; }
  [ -f "$file" ] || { echo 'it is no plain file' >&2; return 1; }
  timeout --foreground "$TAKE_SECONDS" dd if="$file" of="$2" iflag=nofollow,nonblock,fullblock,count_bytes bs=1M count="$3" status=none
}

is_longer() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]; }
