# shellcheck shell=bash
# The secret half of a signing key, which lies under a passphrase. Sourced, after say.sh and paths.sh.
#
# The passphrase is LANEWARE_KEY_PASSPHRASE, or the first line of the file LANEWARE_KEY_PASSPHRASE_FILE, or is typed at the terminal.
# It is no argument, which each user of the machine can see, and no program but openssl gets it.

readonly KEY_ROUNDS=600000 # of PBKDF2 with SHA-256
readonly PASSPHRASE_LEAST=8
unset PASSPHRASE # an exported variable of this name would reach every program
PASSPHRASE=${LANEWARE_KEY_PASSPHRASE:-}
unset LANEWARE_KEY_PASSPHRASE

# ask_phrase QUESTION: at the terminal; sets REPLY.
ask_phrase() {
  IFS= read -rsp "$1: " REPLY </dev/tty
  printf '\n' >/dev/tty
}

# read_passphrase KEY.pem [new]: sets PASSPHRASE; a new one is typed twice.
read_passphrase() {
  if [ -n "$PASSPHRASE" ]; then
    return
  elif [ -n "${LANEWARE_KEY_PASSPHRASE_FILE:-}" ]; then
    [ -r "$LANEWARE_KEY_PASSPHRASE_FILE" ] || fail "$EXIT_FAILED" "$LANEWARE_KEY_PASSPHRASE_FILE, which should hold the passphrase, cannot be read"
    IFS= read -r PASSPHRASE <"$LANEWARE_KEY_PASSPHRASE_FILE" || true
  elif { : </dev/tty; } 2>/dev/null; then
    ask_phrase "Passphrase of $1"
    PASSPHRASE=$REPLY
    [ -z "${2:-}" ] || { ask_phrase 'The same again' && [ "$REPLY" = "$PASSPHRASE" ]; } || refuse 'the two are not the same: nothing was done'
  else
    fail "$EXIT_USAGE" "$1 needs a passphrase, and there is no terminal to ask at: set LANEWARE_KEY_PASSPHRASE, or name its file in LANEWARE_KEY_PASSPHRASE_FILE"
  fi
}

# with_phrase COMMAND…: runs it with the passphrase on descriptor 3.
with_phrase() { "$@" 3< <(printf '%s\n' "$PASSPHRASE"); }

public_half() { with_phrase openssl pkey -in "$1" -pubout -passin fd:3; }

# put_locked KEY.pem TEXT: a secret key, under a new passphrase.
put_locked() {
  local text
  read_passphrase "$1" new
  [ "${#PASSPHRASE}" -ge "$PASSPHRASE_LEAST" ] || refuse "a passphrase has at least $PASSPHRASE_LEAST characters"
  text=$(printf '%s\n' "$2" | with_phrase openssl pkcs8 -topk8 -v2 aes-256-cbc -iter "$KEY_ROUNDS" -passout fd:3) ||
    fail "$EXIT_FAILED" "openssl puts no passphrase on $1; its words are above"
  (umask 077 && durable_write "$1" <<<"$text")
}

new_key() { # KEY.pem
  [ ! -e "$1" ] || refuse "$1 is there already: a key that devices trust is not replaced"
  put_locked "$1" "$(openssl genpkey -algorithm ed25519)"
  public_half "$1" >"${1%.pem}.pub.pem"
  say "Keep $1 and its passphrase secret and safe: who has both can put software on every device. Devices get ${1%.pem}.pub.pem."
}

# protect_key KEY.pem: puts a passphrase on one that was made without.
protect_key() {
  [ -f "$1" ] || refuse "there is no file $1"
  is_plain "$1" || refuse "$1 has a passphrase already, or is no signing key"
  put_locked "$1" "$(cat "$1")"
  say "$1 opens with its passphrase alone. Copies that were made before still open without: destroy them."
}

is_plain() { grep -qs -e '^-----BEGIN PRIVATE KEY' "$1"; }

# open_key KEY.pem: before something is signed with it.
open_key() {
  if is_plain "$1"; then
    warn "$1 has no passphrase: who copies it can put software on every device. bundle.sh --protect $1 gives it one"
  elif grep -qs -e '^-----BEGIN ENCRYPTED' "$1"; then
    read_passphrase "$1"
    public_half "$1" >/dev/null 2>&1 || refuse "the passphrase does not open $1"
  fi
}

# sign KEY.pem FILE SIGNATURE
sign() { with_phrase openssl pkeyutl -sign -inkey "$1" -passin fd:3 -rawin -in "$2" -out "$3"; }
