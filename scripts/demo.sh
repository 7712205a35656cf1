#!/usr/bin/env bash
# Runs the program on sample feeds from a server on this machine. All files are in .demo/, which is recreated each time;
# nothing else is read or written, and the network is not used.
set -euo pipefail
cd "$(dirname "$0")/.."

export PATH="$PWD/.build/release:$PATH"
for name in ${!METUBE_RSS_@}; do unset "$name"; done
export METUBE_RSS_HOME="$PWD/.demo"
export no_proxy=127.0.0.1

# show COMMAND…: prints a command as typed, and runs it.
show() {
  printf '\n$'
  printf ' %q' "$@"
  printf '\n'
  "$@"
}

rm -rf .demo
mkdir .demo
fixture-server Fixtures/feeds/channels --web Fixtures/webfeeds/podcast.xml --web Fixtures/webfeeds/peertube.xml \
  --web Fixtures/webfeeds/notes.json --port-file .demo/port --exit-after 900 >.demo/server.log 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
for _ in $(seq 200); do
  [ -s .demo/port ] && break
  kill -0 "$server" 2>/dev/null || { cat .demo/server.log >&2; exit 1; }
  sleep 0.05
done
export METUBE_RSS_FEEDS_URL="http://127.0.0.1:$(cat .demo/port)"
echo "A server on this machine replaces YouTube: $METUBE_RSS_FEEDS_URL"

show metube-rss import feeds.opml
# The default of two requests per second spares YouTube; our own server needs no limit.
show metube-rss poll --rate 0
show metube-rss list --limit 15

first=$(metube-rss list --format ids --limit 1)
show metube-rss watched "$first"
second=$(metube-rss list --format ids --limit 1)
show metube-rss skip "$second"
show metube-rss list --limit 15
show metube-rss export atom --output .demo/feed.atom

channels=$(metube-rss channels --format ids | wc -l)
videos=$(metube-rss list --all --shorts show --limit 0 --format ids | wc -l)
left=$(metube-rss list --shorts show --limit 0 --format ids | wc -l)
if [ "$channels $videos $left" != "20 300 298" ]; then
  echo "demo: expected 20 channels, 300 videos and 298 left, got $channels, $videos and $left" >&2
  exit 1
fi

# A podcast, a channel of PeerTube and a blog, of the same server; the setting allows addresses on this machine.
export METUBE_RSS_PRIVATE_NETWORKS=yes
web=$METUBE_RSS_FEEDS_URL/web
show metube-rss follow --tag elsewhere "$web/podcast.xml" "$web/peertube.xml" "$web/notes.json"
show metube-rss poll
show metube-rss list --tag elsewhere --upcoming show
entries=$(metube-rss list --tag elsewhere --all --upcoming show --format ids | wc -l)
if [ "$entries" != 5 ]; then
  echo "demo: expected 5 entries of other sites, got $entries" >&2
  exit 1
fi

cat <<END

What happened: the program followed the $channels channels of feeds.opml and fetched each feed once. It listed the
newest of $videos videos without Shorts, marked one as watched and one as skipped ($left are left), and wrote the newest
100 to one Atom feed for any reader: .demo/feed.atom ($(wc -c <.demo/feed.atom) bytes). Then it followed three feeds of
other sites and found their $entries entries.

Look around:     export METUBE_RSS_HOME=.demo PATH=\$PWD/.build/release:\$PATH
                 metube-rss list --all --shorts show
                 metube-rss --help
Your own:        make run                            start with feeds.opml, poll YouTube
                 metube-rss import subscriptions.csv import your subscriptions
END
