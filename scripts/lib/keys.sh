# shellcheck shell=bash
# The keys whose releases a device takes. Sourced.
#
#   release-keys/*.pem      the keys: put there by install.sh, or by a statement
#   release-keys/replaced   number of the last statement that was taken, and the keys that are trusted no more, for good
#
# A statement says which keys are trusted from then on, all others no more, and is signed with one that is trusted before it.
# Each has a number above the one before, so that an older one, sent again, changes nothing. All of them, oldest first, are
# the file laneware.keys beside the releases (`bundle.sh --trust`), and go along in each release that is made from then on: a
# device that was away finds those that it has missed, also where it is given nothing but the file of a release.
#
#   laneware-keys 1 <bytes> <Ed25519 signature, base64>\n
#   <`key=value` lines: name, number, date, by (the key that signs), keys>
#
# The rename of `replaced` is the moment of a change. What comes before it adds keys that the statement names, what comes
# after it removes files that count no more; a power cut leaves a change that the next update completes.

readonly KEY_LIMIT_BYTES=4096 STATEMENTS_LIMIT_BYTES=65536
# An Ed25519 public key (RFC 8410) in base64: twelve bytes that are always the same, and the 32 of the key.
readonly KEY_BASE64='MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}='
readonly KEYS_FORM="^$KEY_BASE64( $KEY_BASE64){0,7}\$"
readonly REPLACED_FORM=$'^number=([1-9][0-9]{0,8})((\nreplaced=[0-9a-f]{64})*)$'

# key_in FILE: the public key in a PEM file, in base64; fails where it holds no Ed25519 public key.
key_in() {
  local key
  key=$(openssl pkey -pubin -in "$1" -outform DER 2>/dev/null | base64 -w 0) && [[ $key =~ ^$KEY_BASE64$ ]] && printf '%s' "$key"
}

# fingerprint KEY
fingerprint() { base64 -d <<<"$1" | sha256sum | cut -d ' ' -f 1; }

# put_key KEY: under a name of its own, so that the same key is never there twice.
put_key() {
  local file
  file=$(fingerprint "$1" | cut -c 1-16).pem
  file=$KEYS/$file
  printf -- '-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n' "$1" | durable_write "$file"
}

# load_replaced: sets KEYS_NUMBER and REPLACED; fails where what is there cannot be read.
load_replaced() {
  local text
  KEYS_NUMBER=0 REPLACED=''
  [ -e "$KEYS/replaced" ] || return 0
  text=$(tr '\0' '?' <"$KEYS/replaced" && printf .)
  [[ ${text%$'\n.'} =~ $REPLACED_FORM ]] || return
  KEYS_NUMBER=${BASH_REMATCH[1]}
  REPLACED=${BASH_REMATCH[2]//$'\nreplaced='/ }
}

# know_keys: as load_replaced. Where that fails no key can be trusted: the key that was replaced may have been stolen.
know_keys() {
  load_replaced ||
    refuse "$KEYS/replaced is damaged, so no key can be trusted: remove it, and run install.sh with the key of today"
}

is_replaced() { [[ " $REPLACED " == *" $(fingerprint "$1") "* ]]; }

# trusted_files: the files of the keys that are trusted, a line each.
trusted_files() {
  local file key
  for file in "$KEYS"/*.pem; do
    [ -e "$file" ] && key=$(key_in "$file") && ! is_replaced "$key" && printf '%s\n' "$file"
  done
  return 0
}

# signed_by_us FOLDER: whether a key of this device made the signature of FOLDER/manifest.
signed_by_us() {
  local file
  while read -r file; do
    openssl pkeyutl -verify -pubin -inkey "$file" -rawin -in "$1/manifest" -sigfile "$1/signature" >/dev/null 2>&1 && return
  done < <(trusted_files)
  return 1
}

# follow_carried_statements FOLDER: follows the statements in FOLDER/manifest, which is not believed yet.
follow_carried_statements() {
  local encoded
  encoded=$(value_of statements "$1/manifest")
  [ -n "$encoded" ] || return 0
  rm -rf -- "$1/carried" && mkdir "$1/carried" || return
  base64 -d <<<"$encoded" >"$1/carried/statements" 2>/dev/null || warn 'what the release carries of newer keys is damaged'
  follow_statements "$1/carried/statements" "$1/carried"
}

# follow_statements FILE FOLDER: follows the statements in FILE, with FOLDER to work in.
follow_statements() {
  local at=0 PAYLOAD_OFFSET # of each statement, not of the release that is judged
  NOT_FOLLOWED=''
  while (($(stat -c %s "$1") > at)); do
    tail -c +$((at + 1)) "$1" >"$2/rest"
    read_head "$2/rest" "$2" laneware-keys || { NOT_FOLLOWED='is damaged'; break; }
    at=$((at + PAYLOAD_OFFSET))
    follow_statement "$2"
  done
  remove_replaced
  [ -z "$NOT_FOLLOWED" ] || warn "what laneware.keys (or a release) says of newer keys $NOT_FOLLOWED: it is left alone"
}

# follow_statement FOLDER: follows the statement whose manifest is there. One that is not signed by a trusted key, but names only such, is passed over.
follow_statement() {
  local number named key
  NOT_FOLLOWED=''
  number=$(value_of number "$1/manifest")
  named=$(value_of keys "$1/manifest")
  if [ "$(value_of name "$1/manifest")" != laneware-keys ] || [[ ! $number =~ ^[1-9][0-9]{0,8}$ ]] || [[ ! $named =~ $KEYS_FORM ]]; then
    NOT_FOLLOWED='is damaged'
  elif ((number > KEYS_NUMBER)); then
    if signed_by_us "$1"; then
      for key in $named; do
        if is_replaced "$key"; then NOT_FOLLOWED='trusts a key again that was replaced'; return; fi
      done
      follow "$number" "$named"
    elif ! are_trusted "$named"; then
      NOT_FOLLOWED='is signed with a key that this device does not know'
    fi
  fi
}

# are_trusted KEYS
are_trusted() {
  local file key trusted=''
  while read -r file; do trusted+=" $(key_in "$file")"; done < <(trusted_files)
  for key in $1; do [[ "$trusted " == *" $key "* ]] || return; done
}

# follow NUMBER KEYS
follow() {
  local file key gone=''
  for key in $2; do put_key "$key" || return; done
  while read -r file; do
    key=$(key_in "$file")
    [[ " $2 " == *" $key "* ]] || gone+=" $(fingerprint "$key")"
  done < <(trusted_files)
  REPLACED+=$gone
  # shellcheck disable=SC2086 # a line for each
  { printf 'number=%d\n' "$1"; [ -z "$REPLACED" ] || printf 'replaced=%s\n' $REPLACED; } | durable_write "$KEYS/replaced" || return
  KEYS_NUMBER=$1
  say "Statement $1: releases are taken that are signed with $(names_of_keys), and no others."
}

# remove_replaced: the files of keys that count no more, of this change or of one that was cut short.
remove_replaced() {
  local file key
  for file in "$KEYS"/*.pem; do
    if key=$(key_in "$file") && is_replaced "$key"; then rm -f -- "$file"; fi
  done
}

# names_of_keys: of those that are trusted, for people.
names_of_keys() {
  local file names=()
  while read -r file; do names+=("$(fingerprint "$(key_in "$file")" | cut -c 1-16)"); done < <(trusted_files)
  printf '%s' "${names[*]:-no key}"
}
