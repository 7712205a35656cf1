#!/usr/bin/env bash
# Shows the program on made-up feeds from a server on this machine. Everything lies in .demo/, which begins afresh
# each time; nothing else is read or written, and nothing leaves the machine.
set -euo pipefail
cd "$(dirname "$0")/.."

export PATH="$PWD/.build/release:$PATH"
for name in ${!METUBE_RSS_@}; do unset "$name"; done
export METUBE_RSS_HOME="$PWD/.demo"
export no_proxy=127.0.0.1

# Prints a command as one would type it, and runs it.
show() {
  printf '\n$'
  printf ' %q' "$@"
  printf '\n'
  "$@"
}

rm -rf .demo
mkdir .demo
fixture-server Fixtures/feeds/channels --port-file .demo/port --exit-after 900 >.demo/server.log 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
for _ in $(seq 200); do
  [ -s .demo/port ] && break
  kill -0 "$server" 2>/dev/null || { cat .demo/server.log >&2; exit 1; }
  sleep 0.05
done
export METUBE_RSS_FEEDS_URL="http://127.0.0.1:$(cat .demo/port)"
echo "A server on this machine stands in for YouTube: $METUBE_RSS_FEEDS_URL"

show metube-rss import feeds.opml
# YouTube is asked twice a second at most; our own server need not be spared.
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
  echo "demo: 20 channels, 300 videos and 298 left were expected, not $channels, $videos and $left" >&2
  exit 1
fi

cat <<END

What happened: the $channels channels of feeds.opml were followed and their feeds asked once. Of the $videos videos found the
newest were listed, Shorts left out. One was marked as watched and one as skipped, so $left are left to see. The newest
100 went into one Atom feed for any reader: .demo/feed.atom ($(wc -c <.demo/feed.atom) bytes).

Look around:     export METUBE_RSS_HOME=.demo PATH=\$PWD/.build/release:\$PATH
                 metube-rss list --all --shorts show
                 metube-rss --help
Your own:        make run                            begins with feeds.opml, asks YouTube
                 metube-rss import subscriptions.csv takes over what you follow
END
