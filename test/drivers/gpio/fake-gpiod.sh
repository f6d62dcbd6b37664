#!/bin/sh
# One of libgpiod's programs, by its own name, over made-up lines in the folder $FAKE_GPIOD. It takes the arguments that the edition in
# the file `edition` takes of us, and says what that says. What `ill-NAME` holds is run first.
state=$FAKE_GPIOD name=${0##*/} edition=$(cat "$FAKE_GPIOD/edition")
echo "$name $*" >>"$state/calls"
die() {
  echo "$name: $*" >&2
  exit 1
}
[ ! -e "$state/ill-$name" ] || . "$state/ill-$name"
case "$edition $name $*" in
  ?.*' --version') echo "$name (libgpiod) v$edition" && exit ;;
  ?.*' gpiodetect ') cat "$state/chips" && exit ;;
  '1.'*' gpioset --mode=signal '*) how=hold chip=$2 line=$3 ;;
  '1.'*' gpioset --mode=exit '*) how=set chip=$2 line=$3 ;;
  '1.'*' gpiomon --line-buffered --bias=pull-up --format=%e %s %n '*) how=watch chip=$4 line=$5 ;;
  '2.'*' gpioset --consumer=laneware --chip='*) how=hold chip=${2#--chip=} line=$3 ;;
  '2.'*' gpioset --toggle=0 --chip='*) how=set chip=${2#--chip=} line=$3 ;;
  '2.'*' gpiomon --consumer=laneware --bias=pull-up --format=%e %S --chip='*) how=watch chip=${4#--chip=} line=$5 ;;
  *) die "try $name --help" ;;
esac
bcm=${line%=*}
grep -q "^$chip " "$state/chips" || case $edition in
  1.*) die 'error setting the GPIO line values: No such file or directory' ;;
  *) die "cannot find GPIO chip character device '$chip'" ;;
esac
if kill -0 "$(cat "$state/held-$bcm" 2>/dev/null)" 2>/dev/null; then case $edition in
  1.*) die 'error setting the GPIO line values: Device or resource busy' ;;
  *) die "unable to request lines on chip '/dev/$chip': Device or resource busy" ;;
esac; fi
[ "$how" = watch ] || echo "${line#*=}" >"$state/level-$bcm"
[ "$how" != set ] || exit 0
echo $$ >"$state/held-$bcm"
[ "$how" != watch ] || exec cat "$state/edges"
exec sleep 1000
