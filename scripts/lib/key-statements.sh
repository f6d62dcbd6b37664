# shellcheck shell=bash
# Makes the statements by which devices replace the keys that they trust: see keys.sh, whose functions work on the same
# globals. Sourced, after keys.sh, release-file.sh and signing-key.sh.
#
# Read: KEYS_NUMBER, the number of the last statement, and NOT_FOLLOWED, why the list cannot be followed, both of keys.sh.
# Set:  STAGE, a temporary folder, which the caller removes; KEYS, the folder of trusted keys in it; SIGNED_BY, the public half
#       of the signing key; KEYS_NUMBER and REPLACED, as keys.sh has them after the list.

# state_keys LIST SIGNER FILE…: adds to the list that devices trust those public keys from now on, and no others.
state_keys() {
  local list=$1 signer=$2 named=() key file
  shift 2
  for file; do
    key=$(key_in "$file") || refuse "$file is no public key (bundle.sh --new-key makes KEY.pub.pem)"
    named+=("$key")
  done
  require_trusted "$list" "$signer"
  for key in "${named[@]}"; do
    ! is_replaced "$key" || refuse 'one of these keys was replaced before, and no device trusts it again: make a new one'
  done
  add_statement "$list" "$signer" $((KEYS_NUMBER + 1)) "$SIGNED_BY" "${named[*]}"
}

# require_trusted LIST SIGNER: ends unless a device that has followed the list trusts the signer. Sets SIGNED_BY, its public half.
require_trusted() {
  STAGE=$(mktemp -d)
  KEYS=$STAGE/keys
  mkdir "$KEYS" "$STAGE/work"
  public_half "$2" >"$STAGE/signer.pem" 2>/dev/null || true
  SIGNED_BY=$(key_in "$STAGE/signer.pem") || refuse "$2 is no signing key (bundle.sh --new-key makes KEY.pem)"
  follow_list "$1" "$SIGNED_BY"
  are_trusted "$SIGNED_BY" || refuse "$1 does not trust $2 any more: sign with a key that its last statement names"
}

# follow_list LIST SIGNER: as a device that was there from the beginning.
follow_list() {
  KEYS_NUMBER=0 REPLACED=''
  [ -s "$1" ] || { put_key "$2"; return; }
  if read_head "$1" "$STAGE/work" laneware-keys; then put_key "$(value_of by "$STAGE/work/manifest")"; fi
  QUIET=1 follow_statements "$1" "$STAGE/work" 2>/dev/null
  [ -z "$NOT_FOLLOWED" ] || fail "$EXIT_FAILED" "$1 $NOT_FOLLOWED: take the one that lies beside the releases"
}

# add_statement LIST SIGNER NUMBER BY KEYS
add_statement() {
  local manifest=$STAGE/manifest
  printf 'name=laneware-keys\nnumber=%d\ndate=%s\nby=%s\nkeys=%s\n' "$3" "$(date_at "$(date +%s)")" "$4" "$5" >"$manifest"
  sign "$2" "$manifest" "$STAGE/signature"
  { [ ! -e "$1" ] || cat "$1"; write_head "$manifest" "$STAGE/signature" laneware-keys; } | durable_write "$1"
  say "Statement $3 is in $1. Put it beside the releases, which must be signed with a key of it from now on, and keep it:"
  say 'the next statement is added to it.'
}
