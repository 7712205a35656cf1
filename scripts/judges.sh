#!/usr/bin/env bash
# Validates the program's exports with other programs: 10,000 generated videos and some hostile ones, as Atom, as JSON
# Feed, by tag and with notices. All files are in .bench/exports/. Exits with 1 if any validator fails.
set -euo pipefail
cd "$(dirname "$0")/.."

export PATH="$PWD/.build/release:$PATH"
for name in ${!METUBE_RSS_@}; do
  [ "$name" = METUBE_RSS_JUDGES ] || unset "$name"
done
folder=$PWD/.bench/exports
export METUBE_RSS_HOME="$folder/home"
export no_proxy=127.0.0.1
rm -rf "$folder"
mkdir -p "$folder/home" "$folder/feeds"

# serve ARGUMENTS…: starts the server that replaces YouTube, and waits for it.
serve() {
  fixture-server "$@" --port-file "$folder/port" --exit-after 900 >"$folder/server.log" 2>&1 &
  server=$!
  for _ in $(seq 200); do
    [ -s "$folder/port" ] && break
    sleep 0.05
  done
  METUBE_RSS_FEEDS_URL="http://127.0.0.1:$(cat "$folder/port")"
  export METUBE_RSS_FEEDS_URL
}
stop() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  rm -f "$folder/port"
}
trap stop EXIT

hostile=$(grep -om 1 'UC[A-Za-z0-9_-]\{22\}' Fixtures/views/hostile.xml)
cp Fixtures/views/hostile.xml "$folder/feeds/$hostile.xml"
serve "$folder/feeds"
metube-rss follow --tag 'hostile <b>"&' "$hostile" >/dev/null
metube-rss poll --quiet --rate 0 >/dev/null
stop

serve --generate 700
fixture-server --list-ids 700 | metube-rss import - >/dev/null
metube-rss poll --quiet --rate 0 --jobs 16 --force >/dev/null || true
metube-rss export atom --limit 10000 --shorts show --upcoming show --with-notices --output "$folder/all.atom"
metube-rss export atom --limit 0 --tag 'hostile <b>"&' --shorts show --output "$folder/hostile.atom"
metube-rss export atom --until 2000-01-01 --url https://me.example/empty.atom --output "$folder/empty.atom"
metube-rss export json-feed --limit 10000 --shorts show --output "$folder/all.json"
metube-rss export json-feed --limit 0 --tag 'hostile <b>"&' --shorts show --output "$folder/hostile.json"
metube-rss export atom --all-tags "$folder/tags"

status=0
for feed in "$folder"/*.atom "$folder"/tags/*.atom; do
  echo "$(basename "$feed"): $(grep -c '^<entry>' "$feed") entries"
  scripts/judge-atom.sh "$feed" || status=1
done
for feed in "$folder"/*.json; do
  echo "$(basename "$feed")"
  scripts/judge-json-feed.sh "$feed" || status=1
done
xmllint --noout --nonet "$folder/tags/feeds.opml" || status=1
exit $status
