#!/usr/bin/env bash
# judge-imports.sh [PROGRAM]: validates the program's subscription exports with newsboat and a Python library for OPML.
# Follows 200 generated channels in a temporary folder; installs missing validators if possible, and names those it
# could not. Exits with 1 if any of them fails.
set -uo pipefail
. "$(dirname "$0")/judge-common.sh"

program=${1:-$root/.build/release/metube-rss}
[ -x "$program" ] || { echo "judge-imports: $program is not built; run make build" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export METUBE_RSS_HOME=$work/home
metube() { "$program" "$@" 2>>"$work/told"; }

# Rows as in Takeout, with titles that need escaping. The last character of an ID is A, Q, g or w.
channels=200
{
  echo 'Channel Id,Channel Url,Channel Title'
  for number in $(seq "$channels"); do
    id=$(printf 'UC%021dA' "$number")
    printf '%s,http://www.youtube.com/channel/%s,"Title %d, ""quoted"" & <odd> \\ # ü"\n' "$id" "$id" "$number"
  done
} >"$work/takeout.csv"
metube import --tag judged "$work/takeout.csv" >/dev/null || { bad 'import takeout.csv'; exit 1; }
metube export opml --output "$work/all.opml"

# Round trip: imports every export into an empty home.
for format in opml takeout-csv newpipe freetube; do
  metube export "$format" --output "$work/out"
  rm -rf "$work/second"
  METUBE_RSS_HOME=$work/second metube import "$work/out" >/dev/null
  # IDs and titles; not every format has tags.
  same() {
    diff <(metube channels --format jsonl | sed 's/,"url":.*//') \
      <(METUBE_RSS_HOME=$work/second metube channels --format jsonl | sed 's/,"url":.*//') >/dev/null
  }
  judge "round trip of $format" same
done

if command -v newsboat >/dev/null; then
  box() { newsboat -C /dev/null -c "$work/cache.db" -u "$work/newsboat-urls" "$@" >/dev/null 2>&1; }
  : >"$work/newsboat-urls"
  box -i "$work/all.opml"
  imported=$(grep -c '^"\?https://www.youtube.com/feeds/videos.xml?channel_id=' "$work/newsboat-urls")
  judge "newsboat -i: $imported of $channels feeds" [ "$imported" -eq "$channels" ]
else
  skipped newsboat 'not installed'
fi

if library listparser listparser; then
  count=$("$venv/bin/python" -c '
import listparser, sys
parsed = listparser.parse(open(sys.argv[1], encoding="utf-8").read())
assert not parsed.bozo, parsed.bozo_exception
print(len(parsed.feeds))' "$work/all.opml")
  judge "listparser: ${count:-no} of $channels feeds" [ "${count:-0}" -eq "$channels" ]
else
  skipped listparser 'not installed'
fi

[ "$complaints" -eq 0 ]
