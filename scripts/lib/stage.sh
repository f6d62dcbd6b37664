# shellcheck shell=bash
# An app with its dependencies and its Node for another machine, in a folder. Sourced, after say.sh; its caller sets PROJECT,
# COMMIT and, where the GPIO part shall be built, GPIO.

# copy_sources STAGE PATHSPEC…: the committed files; changes of the working tree are left out.
copy_sources() {
  local stage=$1
  shift
  git -C "$PROJECT" archive "$COMMIT" -- "$@" | tar --extract --directory "$stage"
}

# copy_dependencies STAGE ARCH: what the lock names for that architecture, without what only development needs; keep_used comes after it.
copy_dependencies() {
  local node=node_modules/node-linux-$2
  say "  packages"
  (cd "$1" && npm ci --omit=dev --os=linux --cpu="$2" --libc=glibc --ignore-scripts --no-audit --no-fund \
    --prefer-offline --loglevel=error >&2) || fail "$EXIT_FAILED" 'npm ci failed; its words are above'
  [ -z "$GPIO" ] || build_epoll "$1" "$2"
  mkdir -p "$1/bin"
  mv "$1/$node/bin/node" "$1/bin/node"
  mv "$1/$node/LICENSE" "$1/bin/node.LICENSE"
  strip_node "$1/bin/node" "$2"
  rm -rf -- "$1"/node_modules/node-linux-* "$1/node_modules/.bin" "$1/node_modules/.package-lock.json" "$1/.npmrc"
}

# keep_used STAGE ARCH [USED]: takes out what no lane runs of its packages.
keep_used() {
  node "$PROJECT/scripts/release/keep-used.mjs" "$(readlink -f "$1")" "${@:2}" || fail "$EXIT_FAILED" 'what is used of the packages cannot be found out'
  find "$1/node_modules" -depth -type d -empty -delete
  node "$PROJECT/scripts/release/licences.mjs" "$1" || fail "$EXIT_FAILED" 'a package has no text of its licence; the words above say which'
}

# bundle_code STAGE ARCH: makes the bundle that a lane runs, by the esbuild of the lock, which is not put into STAGE.
bundle_code() {
  local tools
  tools=$(mktemp -d "${1%/*}/tools.XXXXXX")
  say '  bundle'
  if ! {
    node "$PROJECT/scripts/release/lock-of.mjs" esbuild "$1" "$tools" &&
      (cd "$tools" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error >&2) &&
      node "$PROJECT/scripts/release/bundle-code.mjs" "$1" "$1/bundle" "$tools/node_modules" >"$tools/used"
  }; then
    fail "$EXIT_FAILED" 'the bundle cannot be made; the words above say why'
  fi
  keep_used "$1" "$2" "$tools/used"
  rm -rf -- "$tools"
}

# tools_prefix ARCH: what the names of compilers for that architecture begin with on this machine.
tools_prefix() {
  if [ "$1" = arm64 ] && [ "$(uname -m)" != aarch64 ]; then echo aarch64-linux-gnu-; fi
  if [ "$1" = x64 ] && [ "$(uname -m)" != x86_64 ]; then echo x86_64-linux-gnu-; fi
}

# strip_node FILE ARCH: takes out what only a debugger reads, a seventh of it. What Node says when it crashes comes from the names that it
# exports to native parts, which stay; a core is read with the file of its publisher, found by the build id, which stays, too.
strip_node() {
  local strip
  strip=$(tools_prefix "$2")strip
  if command -v "$strip" >/dev/null; then "$strip" "$1"; else
    warn "Node is packed with its tables for debuggers, some 5 MB more: this machine lacks $strip (Debian: binutils-aarch64-linux-gnu)"
  fi
}

npm_folder() { dirname "$(dirname "$(readlink -f "$(command -v npm)")")"; }

# build_epoll STAGE ARCH: the one native part that npm has no binary of (GPIO, under onoff), for the Node of the release.
build_epoll() {
  local epoll=$1/node_modules/epoll headers=$1/node_modules/node-linux-$2 prefix gyp
  [ -d "$epoll" ] || return 0
  prefix=$(tools_prefix "$2")
  command -v "${prefix}g++" >/dev/null ||
    fail "$EXIT_FAILED" "needs ${prefix}g++ to build the GPIO part for $2 (Debian: g++-${prefix%-}), or --without-gpio"
  say "  GPIO"
  gyp=$(npm_folder)/node_modules/node-gyp/bin/node-gyp.js
  # paths of this machine stay out of the binary
  (cd "$epoll" && env CC="${prefix}gcc" CXX="${prefix}g++" CXXFLAGS="-ffile-prefix-map=$PWD=. -ffile-prefix-map=$1=." \
    LDFLAGS='-Wl,--build-id=none -s' npm_config_nodedir="$headers" node "$gyp" rebuild --arch="$2" --silent >&2) ||
    fail "$EXIT_FAILED" "the GPIO part cannot be built for $2"
  find "$epoll/build" -type f -not -path '*/Release/epoll.node' -delete
  find "$epoll/build" -depth -type d -empty -delete
}
