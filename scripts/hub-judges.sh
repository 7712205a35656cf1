#!/usr/bin/env bash
# Judges the server with programs of others, on the demo's feeds and on loopback: schemathesis on its OpenAPI document,
# redbot on the feeds, promtool on the metrics, slowhttptest, raw requests, and the examples for nginx and Caddy. All files
# are in .bench/hub, those of the examples in .bench/proxies. Installs missing judges if possible, and names those it could not. Exits with 1 if any complains.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/judge-common.sh

export PATH="${HUB_JUDGES_BUILD:-$PWD/.build/release}:$PATH"
for name in ${!METUBE_RSS_@} ${!METUBE_HUB_@}; do
  case $name in METUBE_RSS_JUDGES) ;; *) unset "$name" ;; esac
done
folder=$PWD/.bench/hub
export METUBE_RSS_HOME=$folder/home no_proxy=127.0.0.1,localhost
rm -rf "$folder"
mkdir -p "$folder/home"
processes=()
trap 'kill "${processes[@]}" 2>/dev/null; wait' EXIT

# background NAME COMMAND…: starts a program whose output goes to NAME.log.
background() {
  local name=$1
  shift
  "$@" >"$folder/$name.log" 2>&1 &
  processes+=($!)
}
# appears FILE PATTERN: waits for a line in a file.
appears() {
  for _ in $(seq 600); do
    grep -qs "$2" "$1" && return
    sleep 0.1
  done
  echo "$1: no “$2”" >&2
  exit 1
}
# hub NAME OPTIONS…: starts a hub and sets `url`.
hub() {
  local name=$1
  shift
  background "$name" metube-hub serve --no-poll --listen 127.0.0.1:0 "$@"
  appears "$folder/$name.log" '^metube-hub: '
  url=$(sed -n 's|^metube-hub: \(.*\)/$|\1|p' "$folder/$name.log")
}
works() { [ "$(curl -s -m 10 -H 'Accept: text/plain' "$1/health")" = ok ]; }

background feeds fixture-server Fixtures/feeds/channels --port-file "$folder/port" --exit-after 1800
appears "$folder/port" .
METUBE_RSS_FEEDS_URL="http://127.0.0.1:$(cat "$folder/port")"
export METUBE_RSS_FEEDS_URL
metube-rss import feeds.opml >/dev/null && metube-rss poll --quiet --rate 0 || exit 1

hub hub
plain=$url

# redbot URL: every note must be praise or a remark.
redbot_is_content() {
  "$venv/bin/redbot" -o har "$1" >"$folder/redbot.json" 2>"$folder/redbot.txt" || { cat "$folder/redbot.txt"; return 1; }
  python3 - "$folder/redbot.json" <<'END'
import json
import sys

entry = json.load(open(sys.argv[1]))["log"]["entries"][0]
faults = [note["summary"] for note in entry["_red_messages"] if note["level"].upper() not in ("GOOD", "INFO")]
if entry["response"]["status"] != 200:
    faults.append(f"status {entry['response']['status']}")
print("\n".join(faults), end="\n" if faults else "")
sys.exit(bool(faults))
END
}
if library redbot redbot; then
  for path in /feeds/atom /feeds/json '/feeds/atom?tag=science&limit=5' /api/v1/videos /health; do
    judge "redbot $path" redbot_is_content "$plain$path"
  done
else
  skipped redbot 'not installed'
fi

if program promtool prometheus; then
  judge 'promtool /metrics' bash -c "curl -s $plain/metrics | promtool check metrics"
else
  skipped promtool 'not installed'
fi

# Others are served while slow clients hold 300 connections, and afterwards.
slow() {
  local name=$1
  shift
  timeout 60 slowhttptest -c 300 -r 100 -l 10 -i 2 -p 5 "$@" >"$folder/slow.txt" 2>&1 &
  local test=$!
  sleep 6
  works "$slow_url" || { kill $test; return 1; }
  wait $test
  ! grep -aq 'service available: *NO' "$folder/slow.txt" && works "$slow_url"
}
if program slowhttptest slowhttptest; then
  hub slow --timeout 5
  slow_url=$url
  judge 'slowhttptest slow headers' slow -H -u "$url/api/v1/videos"
  judge 'slowhttptest slow body' slow -B -u "$url/api/v1/marks" -f application/json
  judge 'slowhttptest slow read' slow -X -u "$url/feeds/atom?shorts=show&limit=500" -w 512 -y 1024 -n 5 -z 32 -k 3
  judge 'slowhttptest range' slow -R -u "$url/feeds/atom"
else
  skipped slowhttptest 'not installed'
fi

# A hub of its own: the requests of the others count towards the limit of a minute.
hub raw
judge 'raw requests' python3 scripts/hub-raw.py "$url"

judge 'proxies' env BIN="${HUB_JUDGES_BUILD:-$PWD/.build/release}" scripts/judge-proxies.sh

if library schemathesis schemathesis; then
  judge schemathesis timeout "${HUB_JUDGES_SECONDS:-600}" "$venv/bin/st" --config-file scripts/hub-judges.toml run \
    "$plain/api/v1/openapi.json" --no-color --checks all --max-examples "${HUB_JUDGES_EXAMPLES:-25}" --seed 1 \
    --request-timeout 30 --report-dir "$folder/schemathesis"
else
  skipped schemathesis 'not installed'
fi
export BIN=${HUB_JUDGES_BUILD:-$PWD/.build/release}
judge 'readers and apps' scripts/judge-readers.sh
BUILD=$BIN judge 'readers of many channels' scripts/judge-many.py
judge 'subscriptions to news' scripts/judge-websub.sh
judge 'the hub still works' works "$plain"
judge 'nothing but messages in its log' bash -c "! grep -iE 'fatal|crash|failed:' '$folder'/hub.log '$folder'/slow.log"
[ "$complaints" -eq 0 ]
