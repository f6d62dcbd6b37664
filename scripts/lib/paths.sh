# shellcheck shell=bash
# The folders of a device. ROOT is empty on a device; an image that is made offline, or a test, has another. Sourced.

ROOT=${LANEWARE_ROOT:-}
ROOT=${ROOT%/} # "/" is this machine too

set_paths() {
  LANEWARE=$ROOT/opt/laneware
  RELEASES=$LANEWARE/releases
  CONFIG_DIR=$ROOT/etc/laneware
  KEYS=$CONFIG_DIR/release-keys
  DATA=$ROOT/var/lib/laneware
  COMPILED=$ROOT/var/cache/laneware
  MEDIUM=$ROOT/media/laneware
  UPDATE_DIR=$ROOT/var/lib/laneware-update
  RUN_DIR=$ROOT/run/laneware-update
  ENDPOINTS=$ROOT/run/laneware/endpoints
}
set_paths

# only_on_device: ends a script that changes what its machine is, unless it belongs to a release that is installed there.
# Started in a developer's folder it would otherwise take that machine for a lane.
only_on_device() {
  local releases
  [ -z "$ROOT" ] || return 0
  releases=$(readlink -e "$RELEASES") && [[ $HERE/ == "$releases"/* ]] && return
  fail "$EXIT_REFUSED" "this machine is no installed device, or $HERE is not its release: nothing was done"
}

# machine: the architecture of this system's programs, in the kernel's words. Raspberry Pi OS has 32-bit programs on a 64-bit kernel, too.
machine() { if [ "$(uname -m)" = aarch64 ] && [ "$(getconf LONG_BIT)" = 32 ]; then echo armv7l; else uname -m; fi; }

# value_of KEY FILE: the value of a `key=value` line, the last one where there are several; empty where there is none.
# Nothing of the file is ever run. A file that a worn card no longer reads counts as empty: it must not stop a way back.
value_of() {
  [ -r "$2" ] || return 0
  { sed -n "s/^$1=//p" "$2" || true; } | tail -n 1
}

# durable_write FILE, content on standard input: the old file or the new one, whole, whenever the power goes. Its rights are
# those of the old one, and never more than the umask lets. No link that lies there is followed: the folder may be somebody else's.
durable_write() {
  local mode=666
  [ ! -f "$1" ] || [ -L "$1" ] || mode=$(stat -c %a -- "$1")
  { [ ! -e "$1.new" ] && [ ! -L "$1.new" ] || rm -f -- "$1.new"; } && (umask 077 && set -C && cat >"$1.new") && chmod "$(printf %o "$((0$mode & ~$(umask)))")" "$1.new" &&
    sync "$1.new" && mv -T "$1.new" "$1" && sync "$(dirname "$1")"
}
