#!/usr/bin/env bash
# Makes the files of a release in build/dist from what is checked out, which should be a tag.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/deploy/packages.sh"
cd "$root"

case ${1-} in
  '') ;;
  *)
    cat <<'TEXT'
Usage: deploy/release.sh

Builds, and writes into build/dist:

  tesela_VERSION_ARCHITECTURE.deb   the package for Debian 12
  tesela_VERSION.cdx.json           what is in it: libraries of Debian and packages of the page
                                    (CycloneDX)
  SHA256SUMS                        their digests; SHA256SUMS.asc, signed by gpg's key SIGNING_KEY
TEXT
    [[ $1 == --help ]] && exit
    die "unknown argument '$1'"
    ;;
esac

install_packages "${release_packages[@]}"
deploy/run.sh --build-only
# Two builds of a commit give the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8
bin=build/release/bin
version=$("$bin/tesela-server" --version)
version=${version#* }
[[ $version =~ ^[0-9.]+$ ]] || echo "not a tag: this is $version" >&2
# Debian's comparison takes a hyphen for the beginning of its own revision.
package_version=${version/-/+}
package_version=${package_version//-/.}

manual() {  # PROGRAM SECTION
  help2man --locale C.UTF-8 --no-info --section "$2" --name "$3" "$bin/$1" |
    gzip -9n >"build/release/man/$1.$2.gz"
}
mkdir -p build/release/man
manual tesela 1 'play tile games, and operate a server'
manual tesela-server 8 'the server of Tesela'

rm -rf build/dist
cpack --config build/release/CPackConfig.cmake -B build/dist \
  -D CPACK_PACKAGE_VERSION="$package_version" -D CPACK_THREADS=0 >build/cpack.log ||
  { cat build/cpack.log >&2; die "cpack has failed"; }
rm -rf build/dist/_CPack_Packages
python3 deploy/sbom.py "$version" build/dist/*.deb >"build/dist/tesela_$version.cdx.json"
(cd build/dist && sha256sum -- * >SHA256SUMS)
if [[ ${SIGNING_KEY-} ]]; then
  gpg --batch --local-user "$SIGNING_KEY" --armor --detach-sign build/dist/SHA256SUMS
fi
ls -l build/dist
