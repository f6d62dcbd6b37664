# shellcheck shell=bash
# The keys whose releases a device takes: the *.pem files of release-keys. Sourced.

readonly KEY_LIMIT_BYTES=4096
# An Ed25519 public key (RFC 8410) in base64: twelve bytes that are always the same, and the 32 of the key.
readonly KEY_FORM='^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$'

# key_in FILE: the public key in a PEM file, in base64; fails where it holds no Ed25519 public key.
key_in() {
  local key
  key=$(openssl pkey -pubin -in "$1" -outform DER 2>/dev/null | base64 -w 0) && [[ $key =~ $KEY_FORM ]] && printf '%s' "$key"
}

# fingerprint KEY
fingerprint() { base64 -d <<<"$1" | sha256sum | cut -d ' ' -f 1; }

# put_key KEY: trusts it, under a name of its own, so that the same key is never there twice.
put_key() {
  printf -- '-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n' "$1" | durable_write "$KEYS/$(fingerprint "$1" | cut -c 1-16).pem"
}
