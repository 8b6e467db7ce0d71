#!/usr/bin/env bash
# build.sh FOLDER: the package as a wheel in FOLDER, by Debian's protoc and setuptools, without a
# network. What protoc makes of the contract is in the wheel alone.
set -euo pipefail
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cp -r pyproject.toml src "$made"
protoc --proto_path ../../proto --python_out "$made/src" --pyi_out "$made/src" \
  ../../proto/tesela/{account,bot,game,lobby,play}/v1/*.proto
/usr/bin/python3 -m pip wheel --quiet --no-index --no-deps --no-build-isolation \
  --wheel-dir "$folder" "$made"
