# shellcheck shell=bash
# The dependencies of Tesela on a Debian 12 machine, and functions that install them. Sourced by
# deploy/run.sh and tests/run.sh, which set `root` to the top of the repository first.

# To build and run the server and the terminal client.
readonly build_packages=(
  g++ cmake ninja-build ccache mold git ca-certificates
  libboost1.81-dev libssl-dev zlib1g-dev
  libnghttp2-dev libjemalloc-dev
  libfreetype-dev libpng-dev
  libicu-dev libfido2-dev libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc
  libsqlite3-dev libxxhash-dev libzstd-dev libpq-dev libspdlog-dev libcli11-dev prometheus-cpp-dev
  nlohmann-json3-dev libncurses-dev
)
# To test them as well. `clang-19` comes with libFuzzer through libclang-rt-19-dev; a plugin of
# clang-tidy needs the other two.
readonly test_packages=(
  libgtest-dev libgmock-dev libbenchmark-dev libcpp-jwt-dev
  clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev
  libclang-19-dev llvm-19-dev
  chromium curl haproxy iproute2 jq mypy pgbouncer postgresql
  python3 python3-aiohttp python3-grpcio python3-pip python3-protobuf python3-setuptools
  python3-wheel
  sqlite3 tmux valgrind
)
# To make the files of a release.
readonly release_packages=(dpkg-dev gnupg help2man python3)
# Vite 7 runs on this Node and above. Debian 12 has 18, so a newer one comes from npm.
readonly node_minimum=20.19.0
readonly node_version=22.23.3

# die SENTENCE: ends the script, saying why.
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# as_root COMMAND …: runs it as root, through sudo where that is needed.
as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "needs root to install packages: run it as root, or install sudo"
  fi
}

# install_packages PACKAGE …: installs those that are missing. If none is, it reads dpkg's database
# and uses no network.
install_packages() {
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
    die "no apt-get here: Tesela's scripts are made for Debian 12; install by hand: $*"
  local installed package missing=()
  # dpkg-query fails for an unknown package.
  installed=" $({ dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true; } |
    awk '$2 == "installed" { printf "%s ", $1 }')"
  for package in "$@"; do
    [[ $installed == *" $package "* ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  echo "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  if ! { as_root apt-get update -q && as_root apt-get install -qy --no-install-recommends \
    "${missing[@]}"; } </dev/null; then
    local system
    system=$(. /etc/os-release && echo "$PRETTY_NAME")
    die "apt could not install ${missing[*]}; the names are Debian 12's, and this is $system"
  fi
}

# node_is_new_enough: whether the `node` of PATH reaches node_minimum.
node_is_new_enough() {
  command -v node >/dev/null || return 1
  local found
  found=$(node --version)
  [[ $(printf '%s\n' "$node_minimum" "${found#v}" | sort -V | head -n 1) == "$node_minimum" ]]
}

# ensure_node: a Node and an npm that are new enough, on PATH: the machine's own when it has them.
ensure_node() {
  local architecture
  case $(uname -m) in
    x86_64) architecture=x64 ;;
    aarch64) architecture=arm64 ;;
    *) architecture= ;;
  esac
  local own="$root/build/node/node_modules/node-linux-$architecture"
  [[ -x $own/bin/node ]] && PATH="$own/bin:$PATH"
  command -v npm >/dev/null || install_packages nodejs npm
  node_is_new_enough && return
  [[ -n $architecture ]] ||
    die "needs Node $node_minimum or newer (here: $(node --version)); install it and try again"
  echo "installing Node $node_version into build/node, because $(node --version) is too old"
  npm install --silent --no-save --prefix "$root/build/node" \
    "node-linux-$architecture@$node_version" </dev/null ||
    die "could not fetch Node $node_version from npm; install Node $node_minimum or newer yourself"
  PATH="$own/bin:$PATH"
}

# ensure_prometheus: Debian's prometheus and promtool in build/prometheus, where the tests look for
# them. Not installed, because that would start a service, on the port of gRPC. Without them the
# tests say that they were skipped.
ensure_prometheus() {
  local folder="$root/build/prometheus"
  [[ -x $folder/usr/bin/promtool ]] && return
  mkdir -p "$folder"
  echo "fetching Debian's prometheus into build/prometheus"
  if ! { (cd "$folder" && apt-get download -q prometheus) ||
    { as_root apt-get update -q && (cd "$folder" && apt-get download -q prometheus); } } </dev/null
  then
    echo "apt could not fetch prometheus; what needs it will be skipped" >&2
    return
  fi
  dpkg-deb --extract "$folder"/prometheus_*.deb "$folder"
  rm "$folder"/prometheus_*.deb
}

# npm_install FOLDER: what its package-lock.json says, when that has changed since the last time.
npm_install() {
  local folder=$1 wanted
  wanted=$(sha256sum <"$folder/package-lock.json")
  [[ -f $folder/node_modules/.installed && $(<"$folder/node_modules/.installed") == "$wanted" ]] &&
    return
  # Not `npm ci`: it wants packages of every other system in the lock file, and in the registry.
  (cd "$folder" && npm install --no-save --no-audit --no-fund </dev/null) ||
    die "npm could not install what $folder/package-lock.json says"
  echo "$wanted" >"$folder/node_modules/.installed"
}

# digest_of PATH …: one digest of all files below, generated and installed ones left out.
digest_of() {
  find "$@" \( -name node_modules -o -name dist -o -name gen \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
}

# digest_of_web: of all that the web client is built from.
digest_of_web() {
  (cd "$root" && digest_of clients/package-lock.json clients/js clients/web proto)
}

# web_is_built: whether clients/web/dist is of the client and the contract as they are now.
web_is_built() {
  local stamp="$root/build/web.digest"
  [[ -f $root/clients/web/dist/index.html && -f $stamp && $(<"$stamp") == "$(digest_of_web)" ]]
}

# build_web: the web client into clients/web/dist, when it or the contract has changed. Ends the
# shell that calls it when that fails.
build_web() {
  local web="$root/clients/web" wanted
  web_is_built && return
  ensure_node
  wanted=$(digest_of_web)
  npm_install "$root/clients"
  (cd "$web" && npm run build </dev/null) || die "the web client does not build"
  mkdir -p "$root/build"
  echo "$wanted" >"$root/build/web.digest"
}
