#!/usr/bin/env bash
# Formats all C++ of the repository as .clang-format says; with --check only tells what differs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
action=(-i)
[[ ${1:-} != --check ]] || action=(--dry-run -Werror)
git ls-files -z --cached --others --exclude-standard -- '*.cc' '*.h' |
  xargs -0 --no-run-if-empty clang-format-19 "${action[@]}"
