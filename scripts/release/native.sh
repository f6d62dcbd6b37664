#!/usr/bin/env bash
# Brings the native runtime of the model to this clone, for this machine: a look takes a half to a third of the time. Without it the
# model runs in WebAssembly. Releases bring it by themselves.
#
#   native.sh    makes bin/litert, which no commit takes; needs pip and gcc
set -euo pipefail

PROGRAM=native
HERE=$(dirname "$(readlink -f "$0")")
PROJECT=$(dirname "$(dirname "$HERE")")
. "$HERE/../lib/load.sh" say paths stage native
offer_help "$@"
[ $# -eq 0 ] || usage "$1 is no option"

case $(machine) in
  x86_64) ARCH=x64 ;;
  aarch64) ARCH=arm64 ;;
  *) fail "$EXIT_FAILED" "there is no native runtime for $(machine): the model runs in WebAssembly" ;;
esac
make_native "$PROJECT" "$PROJECT/bin/litert" "$ARCH"
say 'bin/litert is made. Restart the device; its /health says "runtime": "native"'
