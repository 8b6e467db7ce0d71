#!/usr/bin/env bash
# Installs what the tests need, builds, and runs them: all, or the parts that are named.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/deploy/packages.sh"

# part | build folders | what it tests. A part is a label of ctest.
readonly parts='
engine       release,asan  the rules and the dice, case by case
vectors      release,asan  the answers of independent implementations (tests/vectors, tests/verify)
playthroughs release,asan  whole games against their golden texts, and the random simulation
store        asan          the contract of the log and the store, on every backend
server       asan          the parts of the server, over real sockets
cli          release,asan  the terminal client
web          release       the web client without a browser
e2e          release       the real server from outside, with another client library
crash        release       kill -9 in mid-game; outages of three servers and their database
sim          release       a cluster simulated: faults drawn from seeds, the same run twice
browser      release       a game in Chromium
fifth        release       a game of a folder of its own: in the terminal, the stream, the page
deploy       release       deploy/run.sh; the container, where an engine is; alerts and dashboard
bench        release       the benchmarks still run (their figures: tests/bench/README.md)
tidy         release       the conventions, and clang-tidy
lint         release       buf lint and breaking, and clang-format
fuzz         asan          libFuzzer, a few seconds a target
faults       release       chaos.nodes and sim find what faulty servers lack; only when named
tsan         tsan          store, server and cli under ThreadSanitizer; only when named
'
readonly not_by_default='faults|tsan'

usage() {
  cat <<TEXT
Usage: tests/run.sh [PART …]

Without a part: every part but ${not_by_default/|/ and }. The last lines are ctest's summary.
$parts
TEXT
}

part_names() { awk 'NF { print $1 }' <<<"$parts"; }
builds_of() { awk -v part="$1" '$1 == part { print $2 }' <<<"$parts" | tr , '\n'; }

selected=()
for name in "$@"; do
  [[ $name != --help ]] || { usage; exit; }
  [[ -n $(builds_of "$name") ]] ||
    die "there is no part '$name'; the parts are: $(part_names | tr '\n' ' ')"
  selected+=("$name")
done
[[ ${#selected[@]} -gt 0 ]] || mapfile -t selected < <(part_names | grep -vxE "$not_by_default")

# wants PART …: whether one of these parts is selected.
wants() {
  local part
  for part in "$@"; do
    [[ " ${selected[*]} " != *" $part "* ]] || return 0
  done
  return 1
}

# configure FOLDER [PRESET [OPTION …]]: build/FOLDER, ready to build.
configure() {
  local folder=$1 log=build/$1.configure.log
  cmake --preset "${2:-$folder}" -B "build/$folder" -DTESELA_TESTS=ON "${@:3}" >"$log" ||
    { cat "$log" >&2; die "cmake cannot configure build/$folder"; }
}

# build FOLDER: configured, and what the selected parts of it need.
build() {
  case $1 in
    release)
      configure release release -DTESELA_UNIT_TESTS=OFF
      # What needs no program of ours does not wait for one.
      if wants engine vectors playthroughs cli e2e crash sim browser fifth deploy bench faults; then
        ninja -C build/release --quiet
      fi
      ! wants faults || ninja -C build/release --quiet faulty_simulations
      ;;
    asan)
      configure asan
      ! wants fuzz || ninja -C build/asan --quiet fuzz_targets
      if wants engine vectors playthroughs store server cli; then
        ninja -C build/asan --quiet unit_tests
      fi
      ;;
    *)
      configure "$1"
      ninja -C "build/$1" --quiet unit_tests
      ;;
  esac
}

cd "$root"
install_packages "${build_packages[@]}" "${test_packages[@]}"
ensure_node
mkdir -p build/tests

# The server carries the web client in itself, so that comes first.
build_web
mapfile -t folders < <(for part in "${selected[@]}"; do builds_of "$part"; done | sort -u)
for folder in "${folders[@]}"; do build "$folder"; done
if wants e2e crash browser fifth deploy faults; then
  npm_install tests/e2e
  (cd tests/e2e && npm run --silent generate)
  npm_install clients/bots
fi
if wants deploy; then
  install_packages "${release_packages[@]}"
  ensure_prometheus
  # Where this is one folder of several, the folder beside it may know how to start an engine.
  engine=$root/../shared/tools/docker-engine
  if [[ ! -v TEST_DOCKER_ENGINE && -x $engine ]]; then export TEST_DOCKER_ENGINE=$engine; fi
fi
if wants tidy; then
  # The compile database that clang-tidy reads, and the generated headers it names.
  configure tidy asan -DTESELA_SANITIZE= -DTESELA_PCH=OFF -DTESELA_UNITY_BATCH=20
  ninja -C build/tidy --quiet cmake_object_order_depends_target_tesela_{,grpc_,net_test_}proto
fi

# One run of ctest over all build folders: its summary is the last word.
printf 'subdirs("%s")\n' "${folders[@]/#/$root/build/}" >build/tests/CTestTestfile.cmake
labels=$(IFS='|'; echo "${selected[*]}")
# One more than there are processors: browsers, servers and databases wait for much.
ctest --test-dir build/tests --label-regex "^($labels)$" --parallel "$(($(nproc) + 1))" \
  --output-on-failure --no-tests=error | awk -f tests/report.awk
