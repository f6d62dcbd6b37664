# shellcheck shell=bash
# The device as its updater sees it: through systemd and through its own ports. Sourced.

readonly SERVICE=laneware.service UPDATE_SERVICE=laneware-update.service
readonly ANSWER_SECONDS=10 POLL_SECONDS=2 MISSES_ALLOWED=2

# What the device's own user writes to /run/laneware/endpoints: these lines and nothing else. Every port is open on loopback,
# where no token is asked for: root asks nothing beyond this machine.
readonly ENDPOINTS_LIMIT_BYTES=1024 ANSWER_LIMIT_BYTES=1048576 PARTS_LIMIT=32
readonly ADDRESS='https?://(127(\.[0-9]{1,3}){3}|\[::1\]):[0-9]{1,5}'
readonly ENDPOINTS_FORM="^terminal=($ADDRESS)"$'\n'"recognition=($ADDRESS)"$'\n$'

# ask PORT PATH: the answer's body; fails unless it is 200, and no longer than it may be.
ask() {
  local LC_ALL=C text url
  text=$(first_bytes "$ENDPOINTS" "$ENDPOINTS_LIMIT_BYTES" && printf .) || return
  [[ ${text%.} =~ $ENDPOINTS_FORM ]] || return
  url=${BASH_REMATCH[1]}
  [ "$1" != recognition ] || url=${BASH_REMATCH[4]}
  # a certificate of the device's own making proves nothing here: the answer comes from the author of the address
  curl --disable --silent --fail --insecure --globoff --noproxy '*' --proto '=http,https' --max-time "$ANSWER_SECONDS" \
    -- "$url$2" 2>/dev/null | head -c "$ANSWER_LIMIT_BYTES" | tr -d '\0'
}

# version_on PORT: what the port itself says it runs, the first version that it names: a reason further on may name another
# release. Fails where it names none.
version_on() { ask "$1" /health | sed -n 's/"version":"\([0-9.]\{1,20\}\)".*/\n\1/;s/.*\n//p;q' | grep .; }

main_pid() { systemctl show --property MainPID --value "$SERVICE"; }
# is_stopped: no process of the device is there, and none is on its way.
is_stopped() { [[ $(systemctl show --property ActiveState --value "$SERVICE") =~ ^(inactive|failed)$ ]]; }
is_up() { systemctl is-active --quiet "$SERVICE"; }
# ended_by_config: the device ended since its configuration is wrong (exit code of firmware/device/run.ts).
ended_by_config() { [ "$(systemctl show --property ExecMainStatus --value "$SERVICE")" = "$EXIT_WRONG_CONFIG" ]; }

# failed_parts: the parts that the device itself calls failed; a display, camera or network that a shop may unplug is
# "degraded" there and so never counts.
failed_parts() {
  ask terminal /health | grep -ao '"part":"[^"]*","state":"failed"' | cut -d '"' -f 4 | LC_ALL=C tr -cd 'A-Za-z0-9._\n-' |
    cut -c 1-40 | sort | head -n "$PARTS_LIMIT"
}

# Reasons that a line, a bank or the hour can cause, and a token of a till, by sales that a bank refuses: no release is judged by them.
# Whether it reaches the bank at all is judged by reach.sh.
readonly FROM_OUTSIDE='^(bank-(silent|unreachable|unauthorised|refuses|contradicts|certificate-doubted)|certificate-[a-z-]+|payments-unanswered)$'

# Other work that fails by an error of the program while the lane sells (firmware/core/host/own-failures.ts).
readonly FAILING_WORK='(refunds|cancellations|looks|synchronisation)-failing'

# unsold_reasons: why the device does not sell, by its own codes, but for what comes from outside; and what else its program fails at.
unsold_reasons() {
  ask terminal /health | grep -aoE '"code":"([a-z-]{1,40}","sales":"does-not-sell|'"$FAILING_WORK"')"' | cut -d '"' -f 4 |
    grep -vE "$FROM_OUTSIDE" | sort -u | head -n "$PARTS_LIMIT"
}

# unsold_in_words REASONS: of these, one a line.
unsold_in_words() {
  local what='its program fails'
  ! grep -qvxE "$FAILING_WORK" <<<"$1" || what='it does not sell'
  echo "$what: ${1//$'\n'/, }"
}

# open_payments: how many payments wait for the bank; "unknown" while the device runs and does not say.
open_payments() {
  local count
  is_up || { echo 0; return; }
  count=$(ask terminal /metrics | sed -n 's/^laneware_payments_open \([0-9]*\)$/\1/p') || true
  echo "${count:-unknown}"
}

# why_not_now: why the device must not be stopped at this moment; empty where it may be.
why_not_now() {
  case $(open_payments) in
    0) ;;
    unknown) echo 'the device runs and does not say whether a payment is open' ;;
    *) echo 'a payment is open' ;;
  esac
}

# until_no_payment SECONDS: waits so long and no longer; where the device must not be stopped then either, fails, and WHY is why.
until_no_payment() {
  local limit said=''
  WHY=$(why_not_now)
  limit=$((SECONDS + $1)) # a device that takes its time to answer has not waited for a payment yet
  while [ -n "$WHY" ]; do
    ((SECONDS < limit)) || return 1
    [ "$WHY" = "$said" ] || say "Waiting for up to $((limit - SECONDS)) s: $WHY."
    said=$WHY
    sleep "$POLL_SECONDS"
    WHY=$(why_not_now)
  done
}

# reread_units: units are links into `good` and `current`; systemd uses those that it has read until it is told.
reread_units() { systemctl daemon-reload || warn 'systemd has not read the units of this release; it does at the next start'; }

# restart_service: fails when the release does not come up.
restart_service() {
  reread_units
  systemctl reset-failed "$SERVICE" 2>/dev/null || true # a start limit that an earlier release has used up
  systemctl restart "$SERVICE" 9>&-
}

# Stands for every part: of a device that does not answer nobody knows what has failed, and any that answers is better.
readonly ANY_PART='*'
FAILED_BEFORE=$ANY_PART

# Reasons of lost_sales that may come from outside: a display that was unplugged, that another program holds, or that a release
# does not find; and work in which the program fails, perhaps by what a till sends. One of them, or several.
readonly NO_DISPLAY='display-(held|lost)'
readonly PERHAPS="($NO_DISPLAY|sales-failing|$FAILING_WORK)"
readonly PERHAPS_FROM_OUTSIDE="^(it does not sell|its program fails): $PERHAPS(, $PERHAPS)*\$"

# failed_or_silent: the parts that have failed and the reasons why it does not sell, or ANY_PART.
failed_or_silent() {
  if [ -n "$(version_on terminal)" ]; then { failed_parts; unsold_reasons; } | sort -u || true; else echo "$ANY_PART"; fi
}

# lost_sales FAILED_BEFORE: says what keeps the device from selling that did not before; fails where there is none, or where
# it is found anew within its time.
lost_sales() {
  local unsold limit=$((SECONDS + $(seconds_of sells_within_seconds 60)))
  [ "$1" != "$ANY_PART" ] || return
  while unsold=$(comm -13 <(printf '%s\n' "$1") <(unsold_reasons)) && [ -n "$unsold" ]; do
    ((SECONDS < limit)) || { unsold_in_words "$unsold"; return 0; }
    sleep "$POLL_SECONDS"
  done
  return 1
}

# proves_itself VERSION SECONDS FAILED_BEFORE BANK_BEFORE: whether one and the same process answers on both ports as that version
# for so long, with no part failed that was not failed before, and in the end sells as it did before, with that bank. A bank and a
# display are found anew after each start: that takes its time. Says why not.
proves_itself() {
  local version=$1 bank=$4 limit bank_limit pid misses=0 new_failures unsold unsold_since='' sells_within
  pid=$(main_pid)
  sells_within=$(seconds_of sells_within_seconds 60)
  limit=$((SECONDS + $2)) bank_limit=$((SECONDS + sells_within))
  while :; do
    if [ "$(main_pid)" != "$pid" ] || ! is_up; then
      echo 'it ended by itself'
      return 1
    elif [ "$(version_on terminal)" = "$version" ] && [ "$(version_on recognition)" = "$version" ]; then
      misses=0
      new_failures=$(comm -13 <(printf '%s\n' "$3") <(failed_parts))
      [ -z "$new_failures" ] || [ "$3" = "$ANY_PART" ] || { echo "it reports as failed: ${new_failures//$'\n'/, }"; return 1; }
      unsold=$(comm -13 <(printf '%s\n' "$3") <(unsold_reasons))
      if [ -z "$unsold" ] || [ "$3" = "$ANY_PART" ]; then
        unsold_since=''
        if misses "$bank"; then
          ((SECONDS < bank_limit)) || { echo "$NO_BANK"; return 1; }
        else
          bank='' # reached, or there is no way to it, which says nothing of the release
          ((SECONDS < limit)) || return 0
        fi
      else
        unsold_since=${unsold_since:-$SECONDS}
        ((SECONDS - unsold_since < sells_within)) || { unsold_in_words "$unsold"; return 1; }
      fi
    elif ((misses++ >= MISSES_ALLOWED)); then
      echo 'it does not answer on both ports'
      return 1
    fi
    sleep "$POLL_SECONDS"
  done
}
