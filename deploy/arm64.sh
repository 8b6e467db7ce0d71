#!/usr/bin/env bash
# Builds the programs for arm64 on a machine that is not, into build/arm64/bin.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/deploy/packages.sh"
cd "$root"

if [[ $# -gt 0 ]]; then
  cat <<'TEXT'
Usage: deploy/arm64.sh

Compiles for arm64, in a container of its own, because Debian's headers of two architectures
exclude each other. The image then, where containers of arm64 run (qemu-user-static):

  deploy/run.sh --build-only     # the page
  docker run --rm -v "$PWD:/tesela" debian:bookworm-slim /tesela/deploy/arm64.sh
  docker build --platform linux/arm64 -f deploy/Dockerfile --target prebuilt \
    --build-arg PROGRAMS=build/arm64/bin -t tesela:arm64 .
TEXT
  [[ $1 == --help ]] && exit
  die "unknown argument '$1'"
fi

web_is_built || die "the page first: deploy/run.sh --build-only"
as_root dpkg --add-architecture arm64
mapfile -t packages < <(printf '%s\n' "${build_packages[@]}" |
  sed 's/-dev$/&:arm64/; s/^g++$/g++-aarch64-linux-gnu/')
install_packages "${packages[@]}" pkg-config
# The checkout belongs to somebody outside the container.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$root
cmake --preset release -B build/arm64 --toolchain cmake/arm64.cmake -DTESELA_TESTS=OFF
ninja -C build/arm64 --quiet bin/tesela-server bin/tesela
ls -l build/arm64/bin
