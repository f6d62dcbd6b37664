# shellcheck shell=bash
# The native runtime of the model: a library of LiteRT, and the program that runs a model in it. Sourced, after say.sh and
# stage.sh.

# What the wheels are made for; the library asks for glibc 2.27 or newer.
readonly WHEEL_SYSTEM=manylinux_2_27 WHEEL_PYTHON=3.11

# take_native ROOT FOLDER ARCH: makes FOLDER/look of the program's source in ROOT, and FOLDER/libLiteRt.so of the wheel that ROOT pins.
take_native() {
  local root=$1 folder=$2 arch=$3 machine=x86_64 compiler wheel
  [ "$arch" = x64 ] || machine=aarch64
  compiler=$(tools_prefix "$arch")gcc
  say '  native runtime'
  command -v "$compiler" >/dev/null ||
    fail "$EXIT_FAILED" "needs $compiler to build the native runtime for $arch (Debian: gcc-${compiler%-gcc}), or --without-native"
  python3 -m pip --version >/dev/null 2>&1 ||
    fail "$EXIT_FAILED" 'needs pip to fetch the native runtime (Debian: python3-pip), or --without-native'
  wheel=$(mktemp -d)
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes --dest "$wheel" \
    --platform "${WHEEL_SYSTEM}_$machine" --python-version "$WHEEL_PYTHON" --requirement "$root/scripts/lib/native-runtime.txt" >&2 ||
    fail "$EXIT_FAILED" 'the native runtime cannot be fetched; the words above say why'
  python3 -m zipfile -e "$wheel"/*.whl "$wheel"
  mkdir -p "$folder"
  install -m 644 "$wheel/ai_edge_litert/libLiteRt.so" "$folder/libLiteRt.so"
  install -m 644 "$wheel"/ai_edge_litert-*.dist-info/licenses/LICENSE "$folder/LICENSE"
  # paths of this machine stay out of the program
  (cd "$root/firmware/recognition/embedding/native" && "$compiler" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -s -Wl,--build-id=none -o "$folder/look" look.c -ldl) ||
    fail "$EXIT_FAILED" "the native runtime cannot be built for $arch"
  rm -rf -- "$wheel"
}
