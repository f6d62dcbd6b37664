# shellcheck shell=bash
# The native runtime of the model: a library of LiteRT, and the program that runs a model in it. Sourced, after say.sh and
# stage.sh.

# What the wheels are made for; the library asks for glibc 2.27 or newer.
readonly WHEEL_SYSTEM=manylinux_2_27 WHEEL_PYTHON=3.11

# make_native ROOT FOLDER ARCH: makes FOLDER/look of the program's source in ROOT, and FOLDER/libLiteRt.so of the wheel that ROOT pins.
make_native() {
  local root=$1 folder=$2 arch=$3 prefix or=${NATIVE:+, or --without-native}
  prefix=$(tools_prefix "$arch")
  say '  native runtime'
  command -v "${prefix}gcc" >/dev/null ||
    fail "$EXIT_FAILED" "needs ${prefix}gcc to build the native runtime for $arch (Debian: gcc${prefix:+-${prefix%-}})$or"
  python3 -m pip --version >/dev/null 2>&1 ||
    fail "$EXIT_FAILED" "needs pip to fetch the native runtime (Debian: python3-pip)$or"
  mkdir -p "$folder"
  (unpack_library "$root" "$folder" "$arch")
  # paths of this machine stay out of the program
  (cd "$root/firmware/recognition/embedding/native" && "${prefix}gcc" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -s -Wl,--build-id=none -o "$folder/look" look.c -ldl) ||
    fail "$EXIT_FAILED" "the native runtime cannot be built for $arch"
}

# unpack_library ROOT FOLDER ARCH: called in a shell of its own, whose end removes the unpacked wheel.
unpack_library() {
  local root=$1 folder=$2 machine=x86_64
  [ "$3" = x64 ] || machine=aarch64
  WHEEL=$(mktemp -d)
  trap 'rm -rf -- "$WHEEL"' EXIT
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes --dest "$WHEEL" \
    --platform "${WHEEL_SYSTEM}_$machine" --python-version "$WHEEL_PYTHON" --requirement "$root/scripts/lib/native-runtime.txt" >&2 ||
    fail "$EXIT_FAILED" 'the native runtime cannot be fetched; the words above say why'
  python3 -m zipfile -e "$WHEEL"/*.whl "$WHEEL"
  install -m 644 "$WHEEL/ai_edge_litert/libLiteRt.so" "$folder/libLiteRt.so"
  install -m 644 "$WHEEL"/ai_edge_litert-*.dist-info/licenses/LICENSE "$folder/LICENSE"
}
