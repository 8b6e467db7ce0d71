#!/usr/bin/env bash
# Python of the contract, into gen/python (not committed), by Debian's protoc.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p gen/python
protoc --proto_path ../../proto --python_out gen/python --grpc_python_out gen/python \
  --plugin "protoc-gen-grpc_python=$(command -v grpc_python_plugin)" \
  ../../proto/tesela/{bot,game,lobby,play}/v1/*.proto
