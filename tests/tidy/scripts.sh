#!/usr/bin/env bash
# Whether every shell script of the repository can be parsed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
git ls-files -z --cached --others --exclude-standard -- '*.sh' .ci/run |
  xargs -0 --no-run-if-empty -n 1 bash -n
