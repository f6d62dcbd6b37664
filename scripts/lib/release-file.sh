# shellcheck shell=bash
# The file of a release. Sourced.
#
#   laneware-release 1 <bytes of the manifest> <Ed25519 signature of the manifest, base64>\n
#   <manifest: `key=value` lines: name, version, arch, boards, commit, date, valid-until, sums-sha256, payload-size,
#    payload-sha256, unpacked-size; statements: laneware.keys of keys.sh, base64>
#   <payload: tar, packed by gzip>
#
# The signature proves the manifest, and the manifest's digests the payload and the list of its files. Nothing of the manifest is
# believed before it is proven, but for statements of keys, which are signed themselves. Nothing is unpacked before the payload is
# proven, and no file stays that is not on the list. The first 16 KiB hold all that is needed to judge a release.

readonly HEAD_LIMIT_BYTES=16384 MANIFEST_LIMIT_BYTES=8192
readonly RELEASE_KIND=laneware-release
# What a device installs releases with, the program that verifies their signatures among them, and the packages that bring it.
readonly RELEASE_PROGRAMS=(openssl curl tar gzip sha256sum flock) RELEASE_PACKAGES='openssl curl tar gzip coreutils util-linux'

# write_head MANIFEST SIGNATURE [KIND]: the first line and the manifest, to standard output.
write_head() {
  printf '%s 1 %d %s\n' "${3:-$RELEASE_KIND}" "$(stat -c %s "$1")" "$(base64 -w 0 <"$2")"
  cat "$1"
}

# read_head FILE FOLDER [KIND]: takes the head of a release file apart into FOLDER/manifest and FOLDER/signature, and sets
# PAYLOAD_OFFSET, the bytes before the payload. Fails on anything that is not such a head.
read_head() {
  local line magic format size signature rest
  IFS= read -r -n 512 line <"$1" 2>/dev/null || return
  read -r magic format size signature rest <<<"$line" || return
  [ "$magic" = "${3:-$RELEASE_KIND}" ] && [ "$format" = 1 ] && [ -z "$rest" ] || return
  [[ $size =~ ^[1-9][0-9]{0,4}$ ]] && ((size <= MANIFEST_LIMIT_BYTES)) || return
  [[ $signature =~ ^[A-Za-z0-9+/]{86}==$ ]] || return
  PAYLOAD_OFFSET=$((${#line} + 1 + size))
  base64 -d <<<"$signature" >"$2/signature" &&
    { tail -c +$((${#line} + 2)) "$1" || true; } | head -c "$size" >"$2/manifest" && # tail is cut off, which is no error
    [ "$(stat -c %s "$2/manifest")" -eq "$size" ]
}

readonly NOT_INNOCENT=9

# innocent FILE: whether its payload holds nothing but folders and files of ordinary modes, all below its own folder. Ends
# with NOT_INNOCENT where it does not, and as tar does where that cannot be decided.
innocent() {
  tar_of "$1" | tar --list --verbose --numeric-owner --quoting-style=escape --absolute-names | awk '
    !/^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x) / { bad = 1 }
    {
      sub(/^[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ /, "")
      if (!/^\.\// || /(^|\/)\.\.(\/|$)/) bad = 1
    }
    END { exit bad ? '"$NOT_INNOCENT"' : 0 }'
}

payload_of() { tail -c +$((PAYLOAD_OFFSET + 1)) "$1"; }

# tar_of FILE: what is in its payload.
tar_of() { payload_of "$1" | gzip --decompress --stdout; }
