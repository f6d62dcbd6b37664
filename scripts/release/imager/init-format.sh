# shellcheck shell=bash
# How the system of an image takes what Raspberry Pi Imager asks its user for: name, user, network, ssh. Sourced.

# init_format ROOT: in Imager's own words. What it writes for another system than this has no effect at the first boot, and one
# that it does not know of gets no questions: laneware.txt does without.
init_format() {
  if [ -e "$1/var/lib/dpkg/info/rpi-cloud-init-mods.list" ]; then echo cloudinit-rpi
  elif [ -e "$1/usr/bin/cloud-init" ]; then echo cloudinit
  elif [ -e "$1/usr/lib/raspberrypi-sys-mods/imager_custom" ]; then echo systemd
  else echo none; fi
}
