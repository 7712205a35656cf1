#!/usr/bin/env bash
# Writes the licence and the notices of what is linked into both programs into a folder: install-notices.sh FOLDER
set -euo pipefail
here=$(dirname "$0")
install -D -m 644 "$here/../LICENSE" "$1/LICENSE"
[ -f "$here/notices.py" ] || exit 0
"$here/notices.py" metube-rss metube-hub >"$1/NOTICES"
chmod 644 "$1/NOTICES"
