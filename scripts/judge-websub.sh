#!/usr/bin/env bash
# Judges subscriptions to news by Flask-WebSub, which it installs if missing (PyPI); see judge-websub.py.
set -uo pipefail
. "$(dirname "$0")/judge-common.sh"

if library flask_websub Flask-WebSub celery && library celery celery; then
  judge 'Flask-WebSub' timeout 1500 "$venv/bin/python" "$root/scripts/judge-websub.py"
  judge 'Flask-WebSub, with a database' timeout 1500 "$root/scripts/with-postgres.sh" \
    "$venv/bin/python" "$root/scripts/judge-websub.py" --database
else
  skipped Flask-WebSub 'not installed'
fi
[ "$complaints" -eq 0 ]
