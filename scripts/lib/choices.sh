# shellcheck shell=bash
# What an installation may choose. Written by `npm run generate` from the registries of the drivers.
# shellcheck disable=SC2034 # read by install.sh
readonly CAMERAS=(libcamera libcamera-still push none)
