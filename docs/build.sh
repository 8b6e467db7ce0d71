#!/usr/bin/env bash
# Builds the site of the documents, with the reference of the contract and openapi.json, into
# build/docs or the folder that is named: plain files with relative links, for any web server.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/deploy/packages.sh"
out=$(realpath --canonicalize-missing "${1:-$root/build/docs}")

install_packages protobuf-compiler
ensure_node
npm_install "$root/docs"
node "$root/docs/site/site.mjs" "$out"
node "$root/clients/web/scripts/precompress.mjs" "$out"
