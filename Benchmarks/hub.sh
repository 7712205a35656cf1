#!/usr/bin/env bash
# Measures the server on a generated log: start, memory, requests a second beside a constant of the same size from the same
# server library, and 10,000 idle connections. Prints Markdown tables. Writes only to .bench/. Needs wrk.
#
#   Benchmarks/hub.sh [VIDEOS] [SECONDS]      default: 100000 videos, 5 s for each measurement
set -euo pipefail
cd "$(dirname "$0")/.."

videos=${1:-100000}
seconds=${2:-5}
command -v wrk >/dev/null || { echo "hub.sh: wrk is missing; install it" >&2; exit 1; }
for name in ${!METUBE_RSS_@} ${!METUBE_HUB_@}; do unset "$name"; done
bin=$PWD/.build/release
home=$PWD/.bench/hub-bench
rm -rf "$home"
mkdir -p "$home/log"
ulimit -n "$(ulimit -Hn)"
process=
constant=
trap 'kill $process $constant 2>/dev/null || true; rm -rf "$home"' EXIT

"$bin/bench-log" make "$home" "$videos" 1000 >/dev/null
"$bin/metube-rss" list --home "$home" --limit 1 >/dev/null

memory() { awk '/^VmRSS/ { printf "%.0f MB", $2 / 1024 }' "/proc/$process/status"; }
start() {
  "$bin/metube-hub" serve --no-poll --home "$home" --listen 127.0.0.1:5988 >"$home/out" 2>&1 &
  process=$!
}
finish() {
  kill "$process"
  wait "$process" 2>/dev/null || true
}
page='http://127.0.0.1:5988/api/v1/videos?limit=50'

echo "| $videos videos | |"
echo '|---|---|'
python3 Benchmarks/hub-start.py "$bin/metube-hub" "$home"
start
until curl -sf -o /dev/null http://127.0.0.1:5988/health; do sleep 0.05; done
echo "| memory at rest, after the first answers | $(curl -s -o /dev/null "$page"; memory) |"

size=$(curl -s "$page" | wc -c)
"$bin/bench-constant" 5989 "$size" &
constant=$!
until curl -sf -o /dev/null http://127.0.0.1:5989/; do sleep 0.05; done
rate() { wrk -t 1 -c "$1" -d "${seconds}s" "${@:2}" | awk '/^Requests\/sec/ { printf "%.0f", $2 } /Non-2xx/ { exit 1 }'; }
for connections in 1 64; do
  hub=$(rate $connections "$page")
  other=$(rate $connections http://127.0.0.1:5989/)
  echo "| a page of 50 videos ($size bytes), $connections connections | $hub/s; the constant $other/s;" \
    "ratio $(awk "BEGIN { printf \"%.2f\", $hub / $other }") |"
done
# Several queries in turn, so that what is kept for a second helps less: the first 64 pages, and 64 filters whose matches
# must be counted, since no table has their number.
path=/api/v1/videos?limit=50
after=
for _ in {1..64}; do
  echo "$path$after"
  after="&after=$(curl -s "http://127.0.0.1:5988$path$after" | grep -o '"next":"[^"]*' | tail -1 | cut -d'"' -f4)"
done >"$home/pages"
for hours in {1..64}; do echo "$path&until=${hours}h"; done >"$home/filters"
for queries in pages filters; do
  cat >"$home/queries.lua" <<LUA
local queries, turn = {}, 0
for line in io.lines("$home/$queries") do queries[#queries + 1] = line end
function request()
  turn = turn % #queries + 1
  return wrk.format("GET", queries[turn])
end
LUA
  hub=$(rate 64 -s "$home/queries.lua" http://127.0.0.1:5988)
  echo "| 64 $queries of 50 videos in turn, 64 connections | $hub/s; ratio $(awk "BEGIN { printf \"%.4f\", $hub / $other }") |"
done
total=$(curl -s http://127.0.0.1:5988/metrics | awk '/^metube_hub_response_seconds_count/ { print $2 }')
while [ "$total" -lt 100000 ]; do
  wrk -t 1 -c 64 -d "${seconds}s" "$page" >/dev/null
  total=$(curl -s http://127.0.0.1:5988/metrics | awk '/^metube_hub_response_seconds_count/ { print $2 }')
done
echo "| memory after $total requests | $(memory) |"
kill $constant
constant=
python3 Benchmarks/hub-idle.py 5988 10000
echo "| memory after the idle connections | $(memory) |"
finish
process=
