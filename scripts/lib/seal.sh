# shellcheck shell=bash
# Makes a release file of a folder: the same folder, key and facts give the same bytes. Sourced, after signing-key.sh.

# seal FOLDER OUT KEY VERSION ARCH BOARDS COMMIT EPOCH VALID_DAYS [STATEMENTS]: of keys, which go along in the manifest
seal() {
  local folder=$1 out=$2 key=$3 version=$4 arch=$5 boards=$6 commit=$7 epoch=$8 days=$9 statements=${10:-} work
  work=$(mktemp -d) || return
  list_checksums "$folder" &&
    pack "$folder" "$epoch" | gzip --no-name >"$work/payload" &&
    describe "$folder" "$work" "$version" "$arch" "$boards" "$commit" "$epoch" "$days" >"$work/manifest" &&
    carry "$statements" "$work/manifest" &&
    sign "$key" "$work/manifest" "$work/signature" &&
    { write_head "$work/manifest" "$work/signature" && cat "$work/payload"; } >"$out.new" &&
    mv -T "$out.new" "$out"
  local rc=$?
  rm -rf -- "$work"
  return "$rc"
}

list_checksums() { rm -f -- "$1/SHA256SUMS" && checksums_of "$1" >"$1/SHA256SUMS"; }

# pack FOLDER EPOCH: as a tar; nothing of the machine, the user or the hour gets into it.
pack() {
  find "$1" -type d -exec chmod 755 {} + &&
    find "$1" -type f -perm /111 -exec chmod 755 {} + &&
    find "$1" -type f -not -perm /111 -exec chmod 644 {} + &&
    LC_ALL=C tar --create --directory "$1" --sort=name --format=gnu --mtime="@$2" --owner=0 --group=0 --numeric-owner .
}

# carry STATEMENTS MANIFEST: puts the replacements of keys into the manifest, so that a device that trusts an earlier key
# accepts the one that signs.
carry() {
  [ -s "$1" ] || return 0
  printf 'statements=%s\n' "$(base64 -w 0 <"$1")" >"$2.more"
  if (($(stat -c %s "$2") + $(stat -c %s "$2.more") > MANIFEST_LIMIT_BYTES)); then
    warn "$1 is too long to go along in a release: it must lie beside it"
  else
    cat "$2.more" >>"$2"
  fi
}

# date_at EPOCH
date_at() { date --utc --date="@$1" +%Y-%m-%dT%H:%M:%SZ; }

# describe FOLDER WORK VERSION ARCH BOARDS COMMIT EPOCH VALID_DAYS
describe() {
  cat <<MANIFEST
name=laneware
version=$3
arch=$4
boards=$5
commit=$6
date=$(date_at "$7")
valid-until=$(date_at $(($7 + $8 * 86400)))
unpacked-size=$(find "$1" -type f -printf '%s\n' | awk '{ sum += int(($1 + 4095) / 4096) * 4096 } END { printf "%d", sum }')
sums-sha256=$(sha256sum <"$1/SHA256SUMS" | cut -d ' ' -f 1)
payload-size=$(stat -c %s "$2/payload")
payload-sha256=$(sha256sum <"$2/payload" | cut -d ' ' -f 1)
MANIFEST
}
