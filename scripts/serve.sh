#!/usr/bin/env bash
# Serves the demo's feeds with metube-hub: all files are in .demo-hub/, which is recreated each time; the network is not
# used. PORT (5057) is the port. Ends with Ctrl-C.
set -euo pipefail
cd "$(dirname "$0")/.."

export PATH="$PWD/.build/release:$PATH"
for name in ${!METUBE_RSS_@}; do unset "$name"; done
export METUBE_RSS_HOME="$PWD/.demo-hub" no_proxy=127.0.0.1

rm -rf .demo-hub
mkdir .demo-hub
fixture-server Fixtures/feeds/channels --port-file .demo-hub/port >.demo-hub/server.log 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
for _ in $(seq 200); do
  [ -s .demo-hub/port ] && break
  kill -0 "$server" 2>/dev/null || { cat .demo-hub/server.log >&2; exit 1; }
  sleep 0.05
done
METUBE_RSS_FEEDS_URL="http://127.0.0.1:$(cat .demo-hub/port)"
export METUBE_RSS_FEEDS_URL

metube-rss import feeds.opml
metube-rss poll --rate 0
hub="http://127.0.0.1:${PORT:-5057}"
cat <<END
Try:  $hub/ in a browser
      curl $hub/api/v1/videos?limit=3
      curl $hub/api/v1/openapi.json
      newsboat -u <(echo $hub/feeds/atom)
END
# The trap must run when the hub ends.
metube-hub serve --listen "127.0.0.1:${PORT:-5057}"
