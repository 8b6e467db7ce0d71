#!/bin/sh
# Runs a command in a network of its own, where that is allowed: Chromium ends all that it loads
# when an address of the machine changes, as when a container starts. The network has an interface
# beside loopback, without which Chromium says that it is offline. Interfaces get no IPv6 address of
# their own making: it would be usable, and so a change, only a second or two later.
unshare --net true 2>/dev/null || exec "$@"
exec unshare --net sh -c '
  ip link set lo up && ip link add lan type veth peer name wire &&
    ip link set lan addrgenmode none && ip link set wire addrgenmode none &&
    ip address add 192.0.2.1/24 dev lan && ip link set lan up && ip link set wire up || exit 1
  exec "$@"' sh "$@"
