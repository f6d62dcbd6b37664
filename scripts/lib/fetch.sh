# shellcheck shell=bash
# Where a release comes from: a static file on a web server, or a file on a stick. Sourced.
#
# Signatures keep strangers from putting software on a device. Only TLS keeps them from showing it last year's releases, or
# none, for ever; so a source is an https address, unless INSECURE is set, or it lies on this machine.

readonly CONNECT_SECONDS=20 STALL_SECONDS=60 STALL_BYTES_PER_SECOND=1000 ATTEMPTS=5

readonly OWN_MACHINE='^http://(127(\.[0-9]{1,3}){3}|\[::1\]|localhost)(:[0-9]{1,5})?(/|$)'

is_url() { [[ $1 =~ ^https?:// ]]; }

# judge_source SOURCE: refuses addresses that nothing is taken from.
judge_source() {
  case $1 in
    https://*) ;;
    http://*)
      [ -n "$INSECURE" ] || [[ $1 =~ $OWN_MACHINE ]] ||
        refuse "$1 is plain HTTP, where anybody on the way can hold releases back: take https://, or --insecure"
      ;;
    *://*) refuse "$1 is no source of releases: take an address that begins with https://, or a file" ;;
  esac
}

# web URL OPTION…: fetches by curl. No redirect leads to plain HTTP, where anybody on the way could answer, unless INSECURE is set
# and the address is plain HTTP itself.
web() {
  local url=$1 redirects='=https'
  shift
  if [ -n "$INSECURE" ] && [[ $url == http:* ]]; then redirects='=http,https'; fi
  curl --disable --fail --location --globoff --proto '=http,https' --proto-redir "$redirects" \
    --connect-timeout "$CONNECT_SECONDS" --speed-time "$STALL_SECONDS" --speed-limit "$STALL_BYTES_PER_SECOND" \
    "$@" -- "$url" 9>&-
}

# fetch_head SOURCE FILE: the first bytes of a release; FILE.error says why there are none. A server without ranges sends it
# all; the rest is not waited for.
fetch_head() {
  if is_url "$1"; then
    web "$1" --silent --show-error --range "0-$((HEAD_LIMIT_BYTES - 1))" 2>"$2.error" | head -c "$HEAD_LIMIT_BYTES" >"$2"
  else
    take "$1" "$2" "$HEAD_LIMIT_BYTES" 2>"$2.error" || return
  fi
  [ -s "$2" ] && return
  [ -s "$2.error" ] || echo 'it is empty' >"$2.error"
  return 1
}

# beside SOURCE NAME: the place of a file that lies beside a release.
beside() {
  local path=$1
  if is_url "$1"; then
    path=${path%%[?#]*}
    [[ $path =~ ^https?://[^/]*$ ]] && path+=/
    printf '%s/%s' "${path%/*}" "$2"
  else
    printf '%s/%s' "$(dirname -- "$1")" "$2"
  fi
}

readonly CURL_HTTP_ERROR=22

# fetch_statements SOURCE FILE: leaves FILE empty where there are none, which is the usual case.
fetch_statements() {
  local from rc=0
  from=$(beside "$1" laneware.keys)
  : >"$2"
  if is_url "$from"; then
    web "$from" --silent 2>/dev/null | head -c $((STATEMENTS_LIMIT_BYTES + 1)) >"$2" || rc=$?
    if is_longer "$2" "$STATEMENTS_LIMIT_BYTES"; then rc=0; fi # curl was cut off
  elif [ -e "$from" ]; then
    take "$from" "$2" $((STATEMENTS_LIMIT_BYTES + 1)) 2>/dev/null || rc=$?
  fi
  [ "$rc" -eq 0 ] || [ "$rc" -eq "$CURL_HTTP_ERROR" ] || warn "$from cannot be read: newer keys may be missed"
  if [ "$rc" -ne 0 ]; then : >"$2"; fi
  if is_longer "$2" "$STATEMENTS_LIMIT_BYTES"; then
    warn "$from is too long for a list of keys: it is left alone"
    : >"$2"
  fi
}

readonly CURL_NO_RANGES=33 PAUSE_SECONDS=3

# within BYTES COMMAND…: runs a command that can write no file much longer than that: it fails in the next KiB.
within() {
  (
    trap '' XFSZ
    ulimit -f $(($1 / 1024 + 1))
    "${@:2}"
  )
}

# fetch_whole SOURCE PART BYTES: continues behind the bytes that PART already has; where the server cannot, from the beginning.
# Ends where more than BYTES come, and leaves PART longer than that: a source must not fill the card. The caller verifies PART.
fetch_whole() {
  local progress=(--silent --show-error) attempt rc
  [ -t 2 ] && [ -z "$QUIET" ] && progress=(--progress-bar)
  is_url "$1" || { take "$1" "$2" $(($3 + 1)); return; }
  for ((attempt = 1; attempt <= ATTEMPTS; attempt++)); do
    rc=0
    within "$3" web "$1" "${progress[@]}" --continue-at - --output "$2" || rc=$?
    if [ "$rc" -eq 0 ] || is_longer "$2" "$3"; then return "$rc"; fi
    [ "$rc" -ne "$CURL_NO_RANGES" ] || rm -f -- "$2"
    ((attempt == ATTEMPTS)) || sleep $((attempt * PAUSE_SECONDS))
  done
  return "$rc"
}
