#!/usr/bin/env bash
# Pays, refunds and is refused at the banks of test/banks with clients that others wrote: a check that they speak as the banks do, and not as
# this device's own side of them. Fetches the clients from PyPI into a temporary folder; needs python3 with venv, and Node 24.
set -euo pipefail

PROGRAM='bank-clients'
HERE=$(dirname "$(readlink -f "$0")")
# shellcheck source=/dev/null
. "$HERE/../../scripts/lib/say.sh"
offer_help "$@"
[ $# -eq 0 ] || usage "it takes nothing"
cd "$HERE/../.."

# of the banks themselves or of people who use them; each was read before it was named here
CLIENTS=(yookassa==3.13.0 tinkoff-acquiring-api==0.1.3 tinkoff-acquiring==0.1.5 gocream-pysberbank==1.0.0)

folder=$(mktemp -d)
bank=
leave() {
  if [ -n "$bank" ]; then
    kill "$bank"
    wait "$bank"
  fi || true
  rm -rf "$folder"
}
trap leave EXIT

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check "${CLIENTS[@]}"

mkfifo "$folder/ready"
node test/banks/main.ts "$folder/bank.db" >"$folder/ready" &
bank=$!
read -r ready <"$folder/ready"
url=$(node -p 'JSON.parse(process.argv[1]).url' "$ready")

"$folder/python/bin/python" test/tools/bank-clients.py "$url"
