#!/usr/bin/env bash
# Shows the code that makes a technician's token where a monitor is plugged in: above the login prompts of the board's consoles,
# for as long as the device shows it on its display. systemd starts it when the device has a code (laneware-claim.path), and
# it ends when there is none any more. It takes no arguments.
set -euo pipefail
umask 077 # other users of the system must not read the code

PROGRAM=claim-console
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say paths hostile
offer_help "$@"
[ $# -eq 0 ] || usage
only_on_device

# The file that firmware/core/access/claim-sign.ts writes, and the target of the link in /etc/issue.d
readonly CODE_FILE=$ROOT/run/laneware/claim SHOWN=$ROOT/run/laneware-claim/issue
readonly CODE_LIMIT_BYTES=512 LOOK_SECONDS=1
readonly HOST_FORM='[0-9A-Za-z.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]'
readonly CODE_FORM=$'^code=([0-9A-Z]{4}-[0-9A-Z]{4})\naddress=(https://'"($HOST_FORM)(:[0-9]{1,5})?/claim)\$"

# text_of_code: what the consoles are to show. The device's own user writes the file, and a console obeys control characters:
# nothing but a code and an address reaches it.
text_of_code() {
  local LC_ALL=C text
  text=$(first_bytes "$CODE_FILE" "$CODE_LIMIT_BYTES") && [[ $text =~ $CODE_FORM ]] || return
  printf "Laneware: to make the technician's token, open %s with a phone or a\n" "${BASH_REMATCH[2]}"
  printf 'computer in the same network and type the code %s\n\n' "${BASH_REMATCH[1]}"
}

# show TEXT: on all consoles at which no login has begun.
show() {
  printf '%s' "$1" >"$SHOWN.new" && mv -T "$SHOWN.new" "$SHOWN"
  show_anew
}
show_anew() { agetty --reload || warn 'the consoles show it when somebody presses Enter there'; }

trap 'rm -f -- "$SHOWN"; show_anew' EXIT
trap 'exit 0' TERM
now=''
while [ -e "$CODE_FILE" ]; do
  text=$(text_of_code && printf .) || text=''
  text=${text%.}
  [ "$text" = "$now" ] || show "$text"
  now=$text
  sleep "$LOOK_SECONDS"
done
