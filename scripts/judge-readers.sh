#!/usr/bin/env bash
# Judges the APIs that readers and apps speak; see judge-readers.py. Installs newsboat, RSS Guard and Liferea (Debian)
# and miniflux (PyPI) if missing. With METUBE_APP, a clone of the MeTube app, also the app's own network code.
set -euo pipefail
. "$(dirname "$0")/judge-common.sh"

program newsboat newsboat || true
program Xvfb xvfb && program xdotool xdotool && { program rssguard rssguard || true; } &&
  program dbus-run-session dbus-daemon && program liferea liferea || true
library miniflux miniflux miniflux-tui-py || true
"$root/scripts/judge-app.sh" || rm -rf "$root/.bench/app"
python=$venv/bin/python
[ -x "$python" ] || python=python3
"$python" "$root/scripts/judge-readers.py" "$@"
