#!/usr/bin/env bash
# The message server of a store's master, in a unit of its own (systemd/laneware-master@.service). The device leads it by the
# connection that starts the unit: four lines are its port, for whom (subnet or all), its program and its configuration. Each
# later line has it read the configuration anew. It ends with the connection, so it never outlives the device.
#
#   master-server.sh door   as root: what stands before the port. Reads the first two lines
#   master-server.sh run    the server. Reads the others
set -euo pipefail

PROGRAM=master-server
HERE=$(dirname "$(readlink -f "$0")")
. "$HERE/../lib/load.sh" say
offer_help "$@"

# A stranger's connection lives for 20 s at most, so one address holds at most 26 (16 at once, 10 more in 20 s) of the 128 that the
# server takes. The limit counts without connection tracking, whose full table would refuse the bank, too. For a subnet, answers
# live for one hop: no router passes them on.
door() {
  local port whom
  read -r port
  read -r whom
  # ports below 80 are not the device's to open
  if [[ ! $port =~ ^[1-9][0-9]{1,4}$ ]] || ((port < 80)); then refuse "$port is no port of a store"; fi
  local hops=''
  [ "$whom" != subnet ] || hops="tcp sport $port ip ttl set 1; tcp sport $port ip6 hoplimit set 1"
  nft -f - <<RULES || echo '[WRN] nft set no limit for each address before the port' >&2
table inet laneware_master
delete table inet laneware_master
table inet laneware_master {
  set hosts { type ipv4_addr; size 8192; flags dynamic, timeout; timeout 1m; }
  set networks { type ipv6_addr; size 8192; flags dynamic, timeout; timeout 1m; }
  chain before {
    type filter hook input priority filter
    iif != lo tcp dport $port tcp flags & (syn | ack) == syn jump fresh
  }
  chain fresh {
    update @hosts { ip saddr limit rate over 30/minute burst 16 packets } drop
    update @networks { ip6 saddr & ffff:ffff:ffff:ffff:: limit rate over 30/minute burst 16 packets } drop
  }
  chain answers {
    type filter hook output priority filter
    $hops
  }
}
RULES
}

run() {
  local program config
  read -r program
  read -r config
  exec 3<&0
  {
    while read -r _; do kill -HUP "$$"; done
    kill -TERM "$$"
    sleep 2
    kill -KILL "$$"
  } <&3 &
  exec "$program" --config "$config" </dev/null 3<&-
}

case ${1:-} in
  door | run) "$1" ;;
  *) usage "${1:-nothing} is no command" ;;
esac
