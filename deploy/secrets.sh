#!/usr/bin/env bash
# Makes the secrets of servers on one database, each in a file of its own: those that are missing.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: deploy/secrets.sh [FOLDER]

Makes the files that the profile `cluster` of docker-compose.yml mounts: token.key, daily.key,
node.key, admin.key, postgres.password and database.url. FOLDER is `secrets` in the repository, or
what is named. Files that are there stay as they are.

Only the folder's owner can enter it; the files can be read by all who can, because the users of
the containers must read them.
TEXT
}

[[ ${1:-} != --help ]] || { usage; exit; }
[[ $# -le 1 ]] || { usage >&2; exit 2; }
folder=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

# keep FILE: standard input becomes the file, if that is not there.
keep() {
  [[ -s $1 ]] || { cat >"$1.tmp" && chmod 444 "$1.tmp" && mv "$1.tmp" "$1"; }
}

# word: 32 random bytes as one word of letters and digits.
word() { head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }

for key in token daily node; do keep "$key.key" < <(head -c 32 /dev/urandom); done
for text in admin.key postgres.password; do keep "$text" < <(word); done
keep database.url < <(echo "postgres://tesela:$(<postgres.password)@postgres/tesela")
