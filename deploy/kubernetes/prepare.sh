#!/usr/bin/env bash
# Writes what the overlays need of other files: HAProxy's configuration, and the alerts.
set -euo pipefail

if [[ ${1:-} == --help || $# -gt 3 ]]; then
  cat <<'TEXT'
Usage: deploy/kubernetes/prepare.sh [--tls] [NAMESPACE [COUNT]]

Writes haproxy/haproxy.cfg, which is deploy/haproxy/haproxy.cfg for the servers tesela-0, tesela-1 …
of the namespace (default: default), as many as there may ever be (6); those that are not there yet
are down. With --tls it also listens on port 8443, with the certificate of the overlay `tls`.
Writes monitoring/rules.yaml, a PrometheusRule of deploy/prometheus/alerts.yml.
TEXT
  exit
fi
tls=
if [[ ${1:-} == --tls ]]; then
  tls='  bind :8443 tcp-ut 4500ms ssl crt /etc/haproxy-tls/tesela.pem alpn http/1.1'
  shift
fi
cd "$(dirname "${BASH_SOURCE[0]}")"
domain=tesela-nodes.${1:-default}.svc.cluster.local
awk -v count="${2:-6}" -v domain="$domain" -v tls="$tls" '
  /^  server node1 / {
    for (n = 0; n < count; ++n) {
      line = $0
      gsub(/node1:8080/, "tesela-" n "." domain ":8080", line)
      gsub(/node1/, "tesela-" n, line)
      print line
    }
    next
  }
  /^  # With TLS: / { if (tls != "") print tls; next }
  !/^  server node/
' ../haproxy/haproxy.cfg >haproxy/haproxy.cfg
{
  printf '%s\n' 'apiVersion: monitoring.coreos.com/v1' 'kind: PrometheusRule' 'metadata:' \
    '  name: tesela' 'spec:'
  sed 's/^./  &/' ../prometheus/alerts.yml
} >monitoring/rules.yaml
