#!/usr/bin/env bash
# judge-atom.sh FILE: validates an Atom feed with the schema of RFC 4287, three libraries and a reader.
# Installs missing validators if possible, and names those it could not. Exits with 1 if any of them fails.
set -uo pipefail
. "$(dirname "$0")/judge-common.sh"

file=${1:?usage: judge-atom.sh FILE}
[ -r "$file" ] || { echo "judge-atom: $file: cannot read" >&2; exit 2; }
file=$(realpath "$file")

if program xmllint libxml2-utils; then
  judge 'xmllint: well-formed' xmllint --noout --nonet "$file"
  if [ -r "$schemas/atom.rng" ]; then
    judge 'xmllint: RFC 4287' xmllint --noout --nonet --relaxng "$schemas/atom.rng" "$file"
  else
    skipped 'xmllint: RFC 4287' "no $schemas/atom.rng"
  fi
else
  skipped xmllint 'not installed'
fi

if ! program jing jing; then
  skipped jing 'not installed'
elif [ -r "$schemas/atom.rnc" ]; then
  # jing reports to standard output; Debian's wrapper warns about Java libraries that it does not need.
  judge 'jing: RFC 4287' jing -c "$schemas/atom.rnc" "$file" 2>/dev/null
else
  skipped jing "no $schemas/atom.rnc"
fi

for name in feedparser atoma reader; do
  packages=$name
  # reader bundles a copy of feedparser without its dependency sgmllib3k.
  [ "$name" = reader ] && packages='reader sgmllib3k'
  # shellcheck disable=SC2086
  if library "$name" $packages; then
    judge "$name" "$venv/bin/python" "$root/scripts/judge-entries.py" "$name" "$file"
  else
    skipped "$name" 'not installed'
  fi
done

# Whether newsboat has each entry once after two reloads.
newsboat_keeps_all() {
  local folder kept wanted
  folder=$(mktemp -d)
  echo "file://$file" >"$folder/urls"
  : >"$folder/config"
  for _ in 1 2; do
    HOME=$folder newsboat -u "$folder/urls" -c "$folder/cache" -C "$folder/config" -x reload >"$folder/words" 2>&1
  done
  kept=$(python3 -c '
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("select count(*) from rss_item").fetchone()[0])' "$folder/cache")
  wanted=$(grep -c '^<entry>' "$file")
  cat "$folder/words"
  rm -r "$folder"
  [ "$kept" = "$wanted" ] || { echo "         $kept entries, expected $wanted"; return 1; }
}
if program newsboat newsboat; then
  judge newsboat newsboat_keeps_all
else
  skipped newsboat 'not installed'
fi

[ "$complaints" -eq 0 ]
