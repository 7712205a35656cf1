#!/usr/bin/env bash
# judge-json-feed.sh FILE: validates a feed with a schema of JSON Feed 1.1, and checks its HTML.
# Installs missing validators if possible, and names those it could not. Exits with 1 if any of them fails.
set -uo pipefail
. "$(dirname "$0")/judge-common.sh"

file=${1:?usage: judge-json-feed.sh FILE}
[ -r "$file" ] || { echo "judge-json-feed: $file: cannot read" >&2; exit 2; }

schema=$schemas/jsonfeed-1.1.schema.json
if [ ! -r "$schema" ]; then
  skipped jsonschema "no $schema"
elif library jsonschema jsonschema; then
  judge 'jsonschema: JSON Feed 1.1' "$venv/bin/python" "$root/scripts/judge-entries.py" jsonschema "$file" "$schema"
else
  skipped jsonschema 'not installed'
fi

[ "$complaints" -eq 0 ]
