#!/usr/bin/env bash
# Prints the configuration of HAProxy for the servers of a StatefulSet.
set -euo pipefail

if [[ ${1:-} == --help || $# -gt 2 ]]; then
  cat <<'TEXT'
Usage: deploy/kubernetes/haproxy.sh [NAMESPACE [COUNT]]

Prints deploy/haproxy/haproxy.cfg for the servers tesela-0, tesela-1 … of the namespace (default:
default), as many as there may ever be (6). Those that are not there yet are down.
TEXT
  exit
fi
domain=tesela-nodes.${1:-default}.svc.cluster.local
awk -v count="${2:-6}" -v domain="$domain" '
  /^  server node1 / {
    for (n = 0; n < count; ++n) {
      line = $0
      gsub(/node1:8080/, "tesela-" n "." domain ":8080", line)
      gsub(/node1/, "tesela-" n, line)
      print line
    }
    next
  }
  !/^  server node/
' "$(dirname "${BASH_SOURCE[0]}")/../haproxy/haproxy.cfg"
