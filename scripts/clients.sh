#!/usr/bin/env bash
# Makes the clients anew from the committed OpenAPI documents: types for TypeScript (openapi-typescript), and a package for
# Python (openapi-python-client). Both generators are fetched into a folder that goes again. Needs npm, python3 with venv, and
# the network.
#
#   clients.sh            writes clients/typescript and clients/python
set -euo pipefail

PROGRAM=clients
HERE=$(dirname "$(readlink -f "$0")")
PROJECT=$(dirname "$HERE")
# shellcheck source=/dev/null
. "$HERE/lib/say.sh"
offer_help "$@"
[ $# -eq 0 ] || usage "$1 is no option"
need npm python3 sha256sum

readonly TYPESCRIPT_GENERATOR=(openapi-typescript@7.13.0 typescript@5.9.3)
readonly PYTHON_GENERATOR=(openapi-python-client==0.29.1 ruff==0.17.6)
readonly PORTS=(terminal recognition)
WORK=$(mktemp -d)
trap 'rm -rf -- "$WORK"' EXIT

document() { printf '%s/firmware/%s/openapi.json' "$PROJECT" "$1"; }
digest() { sha256sum "$(document "$1")" | cut -d ' ' -f 1; }

say 'Fetching the generators'
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$WORK/npm" "${TYPESCRIPT_GENERATOR[@]}" >/dev/null
python3 -m venv "$WORK/python"
"$WORK/python/bin/pip" install --quiet --disable-pip-version-check "${PYTHON_GENERATOR[@]}"

for port in "${PORTS[@]}"; do
  say "TypeScript: $port"
  file=$PROJECT/clients/typescript/$port.ts
  (cd "$WORK/npm" && node_modules/.bin/openapi-typescript "$(document "$port")" --output "$WORK/$port.ts" >/dev/null)
  {
    printf '// Written by scripts/clients.sh from firmware/%s/openapi.json (SHA-256 %s).\n' "$port" "$(digest "$port")"
    cat "$WORK/$port.ts"
  } >"$file"

  say "Python: $port"
  package=laneware_$port
  printf 'package_name_override: %s\nproject_name_override: %s\ncontent_type_overrides:\n  image/jpeg: application/octet-stream\n  image/png: application/octet-stream\n  application/zip: application/octet-stream\n' \
    "$package" "${package//_/-}" >"$WORK/config.yml"
  PATH=$WORK/python/bin:$PATH openapi-python-client generate --path "$(document "$port")" --config "$WORK/config.yml" \
    --output-path "$WORK/$package" --overwrite --meta none >"$WORK/$port.log" 2>&1 || fail "$EXIT_FAILED" "$(cat "$WORK/$port.log")"
  ! grep -i warning -A 100 "$WORK/$port.log" >&2 || true
  rm -rf -- "$PROJECT/clients/python/$package"
  mv "$WORK/$package" "$PROJECT/clients/python/$package"
  printf '# Written by scripts/clients.sh from firmware/%s/openapi.json.\nSHA256 = "%s"\n' "$port" "$(digest "$port")" \
    >"$PROJECT/clients/python/$package/document.py"
done
find "$PROJECT/clients/python" \( -name .ruff_cache -o -name __pycache__ \) -prune -exec rm -rf {} +
