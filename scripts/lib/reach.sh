# shellcheck shell=bash
# Whether a release reaches the bank that the one before reached. Sourced.
#
# Lines fail, banks fail, and who can cut a shop's line must not keep a security update off it. So a bank's silence undoes a
# release only where all of this is true: the release before reached the bank just before the switch; the new one has not since, for
# as long as it has to come to sell; and at each look meanwhile the way is open: the updater, which asks by programs of
# the system, is shown the certificate that it was shown before the switch.

readonly BANK_LINE='^laneware_bank_reached\{server="([A-Za-z0-9][A-Za-z0-9.-]{0,252}:[0-9]{1,5})?"\} ([01])$'
readonly NO_BANK='it does not reach the bank, which the release before reached, though the way is open'
# Where the release before proves itself, but without a way to the bank: which of the two is worse is unknown.
readonly NO_WAY='it does not reach the bank either'

# BANK_BEFORE: "SERVER CERTIFICATE" of the bank that the device reached before it was changed; empty where it reached none.
BANK_BEFORE=''

# bank_in_use: "1 SERVER", or "0 SERVER" where it is not reached; SERVER is left out where the bank is not called over TLS.
bank_in_use() { ask terminal /metrics | sed -nE "s/$BANK_LINE/\2 \1/p" | head -n 1; }

# certificate_of SERVER: the digest of what it shows to anybody; fails where nobody answers in TLS. No secret is sent: a bank that
# wants a certificate shows its own and hangs up.
certificate_of() {
  { timeout "$ANSWER_SECONDS" openssl s_client -connect "$1" -servername "${1%:*}" </dev/null 2>/dev/null 9>&- || true; } |
    openssl x509 -noout -fingerprint -sha256 2>/dev/null | sed 's/.*=//'
}

# record_bank_before: sets BANK_BEFORE.
record_bank_before() {
  local reached='' server='' certificate
  read -r reached server <<<"$(bank_in_use)" || true
  BANK_BEFORE=''
  [ "$reached" = 1 ] && [ -n "$server" ] && certificate=$(certificate_of "$server") || return 0
  BANK_BEFORE="$server $certificate"
}

# reaches_bank: the device does, whichever it has by now, or there is none that is called over TLS. A release that looks for its bank
# at a wrong address does not.
reaches_bank() {
  local reached='' server=''
  read -r reached server <<<"$(bank_in_use)" || true
  [ "$reached" = 1 ] || { [ -n "$reached" ] && [ -z "$server" ]; }
}

way_is_open() { [ "$(certificate_of "${1% *}")" = "${1#* }" ]; }

# misses BANK: whether it is not reached though the way is open; never where BANK is empty.
misses() { [ -n "$1" ] && ! reaches_bank && way_is_open "$1"; }

# lost_bank BANK: says so where it is missed for as long as a release has to come to sell; else fails.
lost_bank() {
  local limit=$((SECONDS + $(seconds_of sells_within_seconds 60)))
  while misses "$1"; do
    ((SECONDS < limit)) || { echo "$NO_BANK"; return 0; }
    sleep "$POLL_SECONDS"
  done
  return 1
}
