# shellcheck shell=bash
# What an installation may choose. Written by `npm run generate` from the registries of the drivers.
readonly LANE_CAMERAS=(libcamera libcamera-still push none)
