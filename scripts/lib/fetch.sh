# shellcheck shell=bash
# Where a release comes from: a static file on a web server, or a file on a stick. Sourced.

readonly CONNECT_SECONDS=20 STALL_SECONDS=60 STALL_BYTES_PER_SECOND=1000 ATTEMPTS=5

is_url() { [[ $1 =~ ^https?:// ]]; }

web() {
  curl --fail --location --proto '=http,https' --connect-timeout "$CONNECT_SECONDS" --speed-time "$STALL_SECONDS" \
    --speed-limit "$STALL_BYTES_PER_SECOND" "$@" 9>&-
}

# fetch_head SOURCE FILE: the first bytes of a release. A server without ranges sends it all; the rest is not waited for.
fetch_head() {
  if is_url "$1"; then
    web --silent --show-error --range "0-$((HEAD_LIMIT_BYTES - 1))" "$1" 2>"$2.error" | head -c "$HEAD_LIMIT_BYTES" >"$2"
    [ -s "$2" ]
  else
    take "$1" "$2" "$HEAD_LIMIT_BYTES" 2>"$2.error" && [ -s "$2" ]
  fi
}

readonly CURL_NO_RANGES=33 PAUSE_SECONDS=3

# within BYTES COMMAND…: writing fails for the command in the KiB behind so many bytes of a file.
within() {
  (
    trap '' XFSZ
    ulimit -f $(($1 / 1024 + 1))
    "${@:2}"
  )
}

# fetch_whole SOURCE PART BYTES: goes on behind the bytes that PART already has; where the server cannot, from the beginning.
# Fails where more than BYTES come, which then are longer: a source must not fill the card. The caller proves what came.
fetch_whole() {
  local progress=(--silent --show-error) attempt rc
  [ -t 2 ] && [ -z "$QUIET" ] && progress=(--progress-bar)
  is_url "$1" || { take "$1" "$2" $(($3 + 1)); return; }
  for ((attempt = 1; attempt <= ATTEMPTS; attempt++)); do
    rc=0
    within "$3" web "${progress[@]}" --continue-at - --output "$2" "$1" || rc=$?
    if [ "$rc" -eq 0 ] || is_longer "$2" "$3"; then return "$rc"; fi
    [ "$rc" -ne "$CURL_NO_RANGES" ] || rm -f -- "$2"
    ((attempt == ATTEMPTS)) || sleep $((attempt * PAUSE_SECONDS))
  done
  return "$rc"
}
