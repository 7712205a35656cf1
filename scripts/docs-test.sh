#!/usr/bin/env bash
# Runs docs-test.py, where what its documents need is installed; as root, PostgreSQL and jq from Debian if missing.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  # In the network of the test nothing can be installed.
  scripts/with-postgres.sh true || echo "docs-test: without PostgreSQL" >&2
  command -v jq >/dev/null ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq jq >/dev/null; } ||
    echo "docs-test: apt-get cannot install jq" >&2
fi
exec scripts/docs-test.py "$@"
