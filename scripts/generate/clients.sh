#!/usr/bin/env bash
# Makes clients from the committed OpenAPI documents: types for TypeScript (openapi-typescript), and a package for Python
# (openapi-python-client). Both generators are fetched into a folder that goes again. Needs npm, python3 with venv, and the
# network.
#
#   clients.sh [FOLDER]   writes FOLDER/typescript and FOLDER/python (clients/generated when left out)
set -euo pipefail

PROGRAM=clients
HERE=$(dirname "$(readlink -f "$0")")
PROJECT=$(dirname "$(dirname "$HERE")")
. "$HERE/../lib/load.sh" say
offer_help "$@"
case ${1-} in -*) usage "$1 is no option" ;; esac
[ $# -le 1 ] || usage "one folder, not $#"
need npm python3

readonly TYPESCRIPT_GENERATOR=(openapi-typescript@7.13.0 typescript@5.9.3)
readonly PYTHON_GENERATOR=(openapi-python-client==0.29.1 ruff==0.17.6)
readonly PORTS=(terminal recognition)
readonly FOLDER=${1:-$PROJECT/clients/generated}
WORK=$(mktemp -d)
trap 'rm -rf -- "$WORK"' EXIT

declare -rA DOCUMENTS=([terminal]=payments/openapi.json [recognition]=recognition/openapi.json)
document() { printf '%s/firmware/%s' "$PROJECT" "${DOCUMENTS[$1]}"; }

say 'Fetching the generators'
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$WORK/npm" "${TYPESCRIPT_GENERATOR[@]}" >/dev/null
python3 -m venv "$WORK/python"
"$WORK/python/bin/pip" install --quiet --disable-pip-version-check "${PYTHON_GENERATOR[@]}"

rm -rf -- "$FOLDER/typescript" "$FOLDER/python"
mkdir -p "$FOLDER"
cp -R "$PROJECT/clients/typescript" "$PROJECT/clients/python" "$FOLDER"

for port in "${PORTS[@]}"; do
  say "TypeScript: $port"
  "$WORK/npm/node_modules/.bin/openapi-typescript" "$(document "$port")" --output "$FOLDER/typescript/$port.ts" >/dev/null

  say "Python: $port"
  package=laneware_$port
  printf 'package_name_override: %s\nproject_name_override: %s\ncontent_type_overrides:\n  image/jpeg: application/octet-stream\n  image/png: application/octet-stream\n  application/zip: application/octet-stream\n' \
    "$package" "${package//_/-}" >"$WORK/config.yml"
  PATH=$WORK/python/bin:$PATH openapi-python-client generate --path "$(document "$port")" --config "$WORK/config.yml" \
    --output-path "$FOLDER/python/$package" --meta none >"$WORK/$port.log" 2>&1 || fail "$EXIT_FAILED" "$(cat "$WORK/$port.log")"
  ! grep -i warning -A 100 "$WORK/$port.log" >&2 || true
done
find "$FOLDER/python" \( -name .ruff_cache -o -name __pycache__ \) -prune -exec rm -rf {} +
