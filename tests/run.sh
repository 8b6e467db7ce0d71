#!/usr/bin/env bash
# Installs what the tests need, builds, and runs them: all, or the parts that are named.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/deploy/packages.sh"

# part | build folder | what it tests. A part is a label of ctest.
readonly parts='
engine       release  the rules and the dice, case by case
vectors      release  the answers of independent implementations (tests/vectors)
playthroughs release  whole games against their golden texts, and the random simulation
store        release  the contract of the log and the store, on every backend
server       release  the parts of the server, over real sockets
cli          release  the terminal client
web          release  the web client without a browser
e2e          release  the real server from outside, with another client library
crash        release  kill -9 in mid-game, fifty times
browser      release  a game in Chromium
deploy       release  deploy/run.sh
bench        release  the benchmarks still run (their figures: tests/bench/README.md)
tidy         release  the conventions, and clang-tidy
lint         release  buf lint and clang-format
fuzz         fuzz     libFuzzer, a few seconds a target
asan         asan     engine, store, server and cli under AddressSanitizer and UBSan
tsan         tsan     the same under ThreadSanitizer; only when named
'
readonly not_by_default='tsan'

usage() {
  cat <<TEXT
Usage: tests/run.sh [PART …]

Without a part: every part but $not_by_default. The last lines are ctest's summary.
$parts
TEXT
}

part_names() { awk 'NF { print $1 }' <<<"$parts"; }
build_of() { awk -v part="$1" '$1 == part { print $2 }' <<<"$parts"; }

selected=()
for name in "$@"; do
  [[ $name != --help ]] || { usage; exit; }
  [[ -n $(build_of "$name") ]] ||
    die "there is no part '$name'; the parts are: $(part_names | tr '\n' ' ')"
  selected+=("$name")
done
[[ ${#selected[@]} -gt 0 ]] || mapfile -t selected < <(part_names | grep -vx "$not_by_default")

# wants PART …: whether one of these parts is selected.
wants() {
  local part
  for part in "$@"; do
    [[ " ${selected[*]} " != *" $part "* ]] || return 0
  done
  return 1
}

# build FOLDER TARGET …: configures a preset where needed, and builds.
build() {
  local folder=$1
  shift
  cmake --preset "$folder" -B "build/$folder" -DTESELA_TESTS=ON >"build/$folder.configure.log" ||
    { cat "build/$folder.configure.log" >&2; die "cmake cannot configure $folder"; }
  [[ $# -eq 0 ]] || ninja -C "build/$folder" --quiet "$@"
}

# prepare_tidy: the compile database of clang-tidy, and the generated headers it names.
prepare_tidy() {
  cmake --preset fuzz -B build/tidy -DTESELA_TESTS=ON -DTESELA_SANITIZE= >build/tidy.configure.log ||
    { cat build/tidy.configure.log >&2; die "cmake cannot configure tidy"; }
  ninja -C build/tidy --quiet cmake_object_order_depends_target_tesela_proto
}

cd "$root"
install_packages "${build_packages[@]}" "${test_packages[@]}"
ensure_node
mkdir -p build/tests

: >build/tests/CTestTestfile.cmake
for folder in release fuzz asan tsan; do
  for part in "${selected[@]}"; do
    [[ $(build_of "$part") == "$folder" ]] || continue
    echo "subdirs(\"$root/build/$folder\")" >>build/tests/CTestTestfile.cmake
    case $folder in
      release)
        # What needs no program of ours is not made to wait for one.
        if wants engine vectors playthroughs store server cli e2e crash browser deploy bench; then
          build release all
        else
          build release
        fi
        ;;
      fuzz) build fuzz fuzz_targets ;;
      *) build "$folder" unit_tests ;;
    esac
    break
  done
done
if wants web e2e browser deploy crash; then build_web; fi
if wants lint; then npm_install clients/web; fi
if wants e2e crash browser deploy; then
  npm_install tests/e2e
  (cd tests/e2e && npm run --silent generate)
fi
if wants tidy; then prepare_tidy; fi

labels=$(IFS='|'; echo "${selected[*]}")
ctest --test-dir build/tests --label-regex "^($labels)$" --parallel "$(nproc)" \
  --output-on-failure --no-tests=error
