#!/usr/bin/env bash
# Installs what is missing, builds what has changed, and starts Tesela.
set -euo pipefail

called_from=$PWD
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/deploy/packages.sh"

usage() {
  cat <<'TEXT'
Usage: deploy/run.sh [OPTIONS] [-- SERVER OPTIONS]

Installs what is missing (apt, npm), builds what has changed, and starts the server.

  --data DIR     where games are kept (default: data/ in the repository)
  --port PORT    the port of the web page and the stream (default: 8080)
  --build-only   install and build, and stop there
  --help         this text

Everything after -- goes to tesela-server as it is; build/release/bin/tesela-server --help lists
what it knows. Stop with Ctrl-C: nothing is lost.
TEXT
}

data=$root/data
port=8080
build_only=
while [[ $# -gt 0 ]]; do
  case $1 in
    --help) usage; exit ;;
    --build-only) build_only=1 ;;
    --data | --port)
      [[ $# -ge 2 ]] || die "$1 needs a value"
      if [[ $1 == --port ]]; then port=$2; else data=$(cd "$called_from" && realpath -m "$2"); fi
      shift
      ;;
    --) shift; break ;;
    *) die "unknown option '$1'; --help lists them, and the server's own go after --" ;;
  esac
  shift
done

install_packages "${build_packages[@]}"
cd "$root"
if ! web_is_built; then
  # Meanwhile, because it leaves cores idle. What needs packages comes first: it may ask for a
  # password.
  ensure_node
  mkdir -p build
  set -m  # in a process group of its own, which does not outlive this script
  (build_web) </dev/null >build/web.log 2>&1 &
  web=$!
  set +m
  trap 'kill -- -"$web" 2>/dev/null' EXIT
fi
# Without the tests, so that nothing only they need is installed. A folder that tests/run.sh has
# configured stays as it is.
[[ -f build/release/build.ninja ]] || cmake --preset release -DTESELA_TESTS=OFF
# At a terminal ninja shows its progress on one line.
if [[ -t 1 ]]; then quiet=(); else quiet=(--quiet); fi
if [[ -v web ]]; then
  # The page is part of the server only.
  ninja -C build/release "${quiet[@]}" bin/tesela
  wait "$web" || { cat build/web.log; exit 1; } >&2
  trap - EXIT
fi
ninja -C build/release "${quiet[@]}" bin/tesela-server bin/tesela
[[ -z $build_only ]] || exit 0

mkdir -p "$data"
echo "Tesela: http://localhost:$port (data in $data; Ctrl-C stops it)"
exec build/release/bin/tesela-server --data "$data" --http-port "$port" "$@"
