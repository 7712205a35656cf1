#!/usr/bin/env bash
# Judges the APIs that readers speak; see judge-readers.py. Installs newsboat (Debian) and miniflux (PyPI) if missing.
set -euo pipefail
. "$(dirname "$0")/judge-common.sh"

program newsboat newsboat || true
library miniflux miniflux miniflux-tui-py || true
python=$venv/bin/python
[ -x "$python" ] || python=python3
"$python" "$root/scripts/judge-readers.py" "$@"
