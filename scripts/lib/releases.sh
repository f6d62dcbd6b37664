# shellcheck shell=bash
# The release folders and the links. Sourced.
#
#   releases/1.2.0/   a release, never changed once it is there
#   good              the release that is known to work; the updater itself runs from it
#   current           the release that runs; differs from good only while a new one is on trial
#   previous          what was good before, for `rollback`
#   left              the one that was left last, for who wants to look at it; nothing takes it by itself, and the next
#                     update that is kept, or that needs its room, removes it
#
# Going to another release is one rename of one link, so that a power cut leaves the old or the new one. Keeping a new
# release is the rename of `good`: everything before that moment ends in the old release, everything after in the new.

# linked NAME: the version that a link names; empty where there is no such link.
linked() {
  local target
  target=$(readlink "$LANEWARE/$1") || return 0
  printf '%s' "${target#releases/}"
}

# relink NAME VERSION
relink() {
  ln -sfn "releases/$2" "$LANEWARE/$1.new" && mv -T "$LANEWARE/$1.new" "$LANEWARE/$1" && sync "$LANEWARE"
}

is_version() { [[ $1 =~ ^(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})$ ]]; }

# is_newer A B: whether version A is above version B.
is_newer() {
  local -a a b
  local i
  IFS=. read -ra a <<<"$1"
  IFS=. read -ra b <<<"$2"
  for i in 0 1 2; do
    ((a[i] == b[i])) || { ((a[i] > b[i])); return; }
  done
  return 1
}

# checksums_of FOLDER: of every file in it but SHA256SUMS, as `sha256sum` writes them.
checksums_of() {
  (cd "$1" && find . -type f -not -path ./SHA256SUMS -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
}

# exact FOLDER: whether it holds the files whose list the signed manifest speaks of (SUMS_SHA256), and nothing else.
exact() {
  [ "$(sha256sum <"$1/SHA256SUMS")" = "$SUMS_SHA256  -" ] &&
    checksums_of "$1" | cmp -s - "$1/SHA256SUMS" &&
    [ -z "$(find "$1" \( -not -type f -not -type d -o -type f -perm /6000 -o -perm /022 \) -print -quit)" ]
}

# whole VERSION: whether every file of a release is there with its bytes. It finds the damage of a worn card; which files
# a release may hold was judged when it was unpacked.
whole() {
  [ -s "$RELEASES/$1/SHA256SUMS" ] && (cd "$RELEASES/$1" && sha256sum --check --quiet --strict SHA256SUMS >/dev/null 2>&1)
}

# is_linked FOLDER: whether good, current or previous is that one.
is_linked() { [[ " $(linked good) $(linked current) $(linked previous) " == *" $1 "* ]]; }

# lead FROM TO: the links that name one folder name the other from here on.
lead() {
  local link
  for link in good current previous; do
    [ "$(linked "$link")" != "$1" ] || relink "$link" "$2" || return
  done
}

# put_in_place VERSION: makes the folder .new-VERSION, whole and on the disk, the release of that version. Where links name
# that version already, its folder is a damaged one that is repaired.
put_in_place() {
  if is_linked "$1"; then
    lead "$1" ".new-$1" && end_repair
  else
    rm -rf -- "${RELEASES:?}/$1" && mv -T "$RELEASES/.new-$1" "$RELEASES/$1" && sync "$RELEASES"
  fi
}

# end_repair: gives a repaired release its name. No folder can take the place of another in one step, and what boots and
# mends the device is reached through the links: so that they never lead nowhere, they name .new-VERSION until a twin of
# it, made of hard links, has the name. What a power cut leaves in between is ended by calling it again; mostly there is nothing.
end_repair() {
  local version='' link
  for link in good current previous; do
    case $(linked "$link") in .new-*) version=$(linked "$link") && version=${version#.new-} ;; esac
  done
  [ -n "$version" ] || return 0
  if ! whole "$version"; then
    lead "$version" ".new-$version" && rm -rf -- "${RELEASES:?}/$version" &&
      cp -al -- "$RELEASES/.new-$version" "$RELEASES/$version" && sync -f "$RELEASES" || return
  fi
  lead ".new-$version" "$version" || return
  prune || warn 'what the repair has left could not be removed'
}

# prune: removes every release folder that no link names, and what an unpacking left behind.
prune() {
  local folder name keep
  [ -n "$(linked good)" ] || return 0 # not even the links are there: nothing is certain enough to be removed
  keep=" $(linked good) $(linked current) $(linked previous) $(linked left) "
  for folder in "$RELEASES"/* "$RELEASES"/.new-*; do
    [ -e "$folder" ] || continue
    name=${folder##*/}
    case $keep in *" $name "*) continue ;; esac
    rm -rf -- "$folder" || return
  done
}

# mark_as_left VERSION: names it as the release that was left, and removes `previous`: there is nothing to go back to.
mark_as_left() {
  relink left "$1" || warn "$1 is not kept for who wants to look at it"
  rm -f -- "$LANEWARE/previous"
}

# drop_left: gives up the release that was left, with its room.
drop_left() {
  [ -n "$(linked left)" ] || return 0
  rm -f -- "$LANEWARE/left"
  prune
}
