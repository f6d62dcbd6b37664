# shellcheck shell=bash
# What image.sh --read-only does to an image: the root's first program (root.sh) and what follows from it, and the partition of
# the data. Nothing of the image is run. Sourced, with the functions of image.sh.

# The data partition as it is flashed; the first start has it take the card. Two releases beside each other, and room to download
# a third. The root has what a technician may want to install.
readonly DATA_MB=1024 ROOT_MB=512
readonly FIRST_PROGRAM=/usr/lib/laneware/read-only-root
# What root.sh calls, beside what every Debian has.
readonly PROGRAMS=(e2fsck resize2fs sfdisk partx modprobe)
# Swapping to a file of a root in memory, lists of packages that are fetched at each start: nothing of it can stay.
readonly POINTLESS=(dphys-swapfile.service apt-daily.timer apt-daily-upgrade.timer)
# The features that e2fsprogs of every Debian since 2018 knows: what checks it on the board may be older than what makes it here.
readonly FEATURES=none,has_journal,ext_attr,resize_inode,dir_index,filetype,extent,flex_bg,64bit,sparse_super,large_file,huge_file,dir_nlink,extra_isize,metadata_csum

# has_program ROOT NAME: in any of its folders; some are links that lead to a place of the base's own.
has_program() {
  local folder
  for folder in usr/sbin usr/bin sbin bin; do
    if [ -e "$1/$folder/$2" ] || [ -L "$1/$folder/$2" ]; then return; fi
  done
  return 1
}

# can_be_read_only ROOT: ends the script where the base lacks what the first program needs.
can_be_read_only() {
  local program lacking=()
  for program in "${PROGRAMS[@]}"; do has_program "$1" "$program" || lacking+=("$program"); done
  [ ${#lacking[@]} -eq 0 ] || fail "$EXIT_REFUSED" "--read-only needs a base with ${lacking[*]}"
}

# read_only_line: a kernel command line that starts our program, and nothing that makes the root grow at the first start: init=
# and firstboot of Raspberry Pi OS until 2025, resize of those since.
read_only_line() {
  awk -v more="ro init=$FIRST_PROGRAM" 'NR > 1 { print; next }
    { line = ""; for (i = 1; i <= NF; i++) if ($i !~ /^(init=.*|resize|rw|ro)$/) line = line $i " "; print line more }'
}

# forget_growing ROOT: the services that would grow it.
forget_growing() {
  rm -f -- "$1"/etc/rc?.d/S??resize2fs_once "$1/etc/init.d/resize2fs_once" "$1"/etc/systemd/system/*.wants/rpi-resize.service
}

# Settings of a root that is in memory: the log, and swap. rpi-swap of Raspberry Pi OS since 2025 would make a file of the size of
# the memory on the root, which is memory here; for compressed memory alone it makes no file. The base's own first start, which is
# not run, would make the keys of ssh's server.
write_settings() { # ROOT
  mkdir -p "$1/etc/systemd/journald.conf.d" "$1/etc/systemd/system/ssh.service.d"
  printf '# The root is read-only: the log is in memory, and ends with the power.\n[Journal]\nStorage=volatile\n' \
    >"$1/etc/systemd/journald.conf.d/60-laneware-read-only.conf"
  mkdir -p "$1/etc/rpi/swap.conf.d"
  printf '# The root is read-only: no file to swap to.\n[Main]\nMechanism=zram\n' >"$1/etc/rpi/swap.conf.d/60-laneware-read-only.conf"
  printf '# The board makes its keys before the first start of the server.\n[Service]\nExecStartPre=\nExecStartPre=/usr/bin/ssh-keygen -A\nExecStartPre=/usr/sbin/sshd -t\n' \
    >"$1/etc/systemd/system/ssh.service.d/50-laneware-keys.conf"
}

# make_read_only ROOT: with cmdline.txt in its boot/firmware.
make_read_only() {
  local unit
  rewrite "$1/boot/firmware/cmdline.txt" read_only_line
  install -D -m 0755 "$HERE/read-only/root.sh" "$1$FIRST_PROGRAM"
  install -d "$1/mnt"
  install -d -m 0700 "$1/var/lib/bluetooth"
  forget_growing "$1"
  write_settings "$1"
  for unit in "${POINTLESS[@]}"; do link_to /dev/null "$UNIT_DIR/$unit"; done
}

# add_data IMAGE: the third partition, empty; the first start fills it.
add_data() {
  local start size
  read -r start size < <(partition "$1" 2)
  truncate --size "+${DATA_MB}M" "$1"
  echo "$((start + size)), +, 83" | sfdisk --quiet --no-reread --no-tell-kernel --append "$1"
  LOOP=$(attach "$1" 3)
  mke2fs -q -t ext4 -O "$FEATURES" -b 4096 -I 256 -i 16384 -m 1 -J size=32 -e remount-ro -L laneware-data \
    -E lazy_itable_init=0,lazy_journal_init=0 "$LOOP"
  release_mount
}
