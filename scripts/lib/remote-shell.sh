# shellcheck shell=bash
# A shell over the network, with the key that was put on the card, and never with a password. Sourced.

# first_user: name and home of the user that Raspberry Pi OS makes, or the imager.
first_user() { awk -F : '$3 == 1000 && $1 ~ /^[a-z_][a-z0-9_-]*$/ && $6 ~ /^\/[A-Za-z0-9_.\/-]+$/ { print $1, $6; exit }' "$ROOT/etc/passwd" 2>/dev/null; }

open_shell() { # PUBLIC_KEY
  local user home unit
  unit=$(ssh_unit) || impossible 'needs the ssh server, which this system does not have'
  read -r user home < <(first_user) || impossible 'needs the first user of the system, who was not made'
  keys_only
  authorise "$user" "$ROOT$home" "$1" || impossible "cannot be put into the home of the first user"
  ssh-keygen -A ${ROOT:+-f "$ROOT"} >/dev/null || impossible 'is no use: the board cannot make a key of its own'
  for link in ssh.service ssh.socket; do
    [ "$(readlink "$ROOT$UNIT_DIR/$link" || true)" != /dev/null ] || rm -f -- "$ROOT$UNIT_DIR/$link"
  done
  link_to "$unit" "$UNIT_DIR/multi-user.target.wants/ssh.service"
  [ -n "$ROOT" ] || { systemctl daemon-reload && systemctl start --no-block ssh.service; } || warn 'ssh answers from the next start on'
}

ssh_unit() {
  local folder
  for folder in /usr/lib/systemd/system /lib/systemd/system; do
    [ -f "$ROOT$folder/ssh.service" ] && { printf '%s' "$folder/ssh.service"; return; }
  done
  return 1
}

# keys_only: before all other files of that folder, for the first word about a setting counts (sshd_config(5)).
keys_only() {
  mkdir -p "$ROOT/etc/ssh/sshd_config.d"
  printf '%s\n' 'PasswordAuthentication no' 'KbdInteractiveAuthentication no' 'PermitRootLogin no' |
    durable_write "$ROOT/etc/ssh/sshd_config.d/00-laneware.conf"
}

# authorise USER HOME KEY: root follows no link out of a home.
authorise() {
  local folder=$2/.ssh file=$2/.ssh/authorized_keys
  [ -d "$2" ] && [ ! -L "$folder" ] && [ ! -L "$file" ] || return
  mkdir -p "$folder"
  chmod 700 "$folder"
  if ! grep -qxF -- "$3" "$file" 2>/dev/null; then
    { [ ! -f "$file" ] || cat "$file"; printf '%s\n' "$3"; } | durable_write "$file"
  fi
  chmod 600 "$file"
  chown -h --reference "$2" "$folder" "$file"
}
