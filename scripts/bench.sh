#!/usr/bin/env bash
# Measures what users wait for, and prints a Markdown table: parsing compared with C, polling compared with curl, and
# the start of `list`. The programs of each pair run in alternating turns. Figures are medians; "at best" is the fastest
# turn, which load on the machine hardly changes; the same holds for the figure for parsing. Takes less than a minute,
# writes only to .bench/, and uses no network.
set -euo pipefail
cd "$(dirname "$0")/.."

channels=1000  # polled from a server on this machine
jobs=100       # concurrent feeds, for metube-rss and for curl
turns=9
starts=61

for name in ${!METUBE_RSS_@}; do unset "$name"; done
export no_proxy=127.0.0.1 TZ=UTC
bin=$PWD/.build/release
work=$PWD/.bench
mkdir -p "$work"
"${CC:-cc}" -O2 Benchmarks/repeat.c -o "$work/repeat"

say() { echo "bench: $*" >&2; }
median() { sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
# column FILE N: median of column N of a file with one line of figures per turn.
column() { awk -v n="$2" '{ print $n }' "$1" | median; }
least() { awk -v n="$2" '{ print $n }' "$1" | sort -n | head -n 1; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
seconds() { awk -v ms="$1" 'BEGIN { printf "%.2f s", ms / 1000 }'; }
megabytes() { awk -v kb="$1" 'BEGIN { printf "%.0f MB", kb / 1024 }'; }

# --- A server that replaces YouTube

rm -f "$work/port"
"$bin/fixture-server" --generate "$channels" --port-file "$work/port" --exit-after 600 >"$work/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
for _ in $(seq 600); do
  [ -s "$work/port" ] && break
  kill -0 "$server" 2>/dev/null || { cat "$work/server.log" >&2; exit 1; }
  sleep 0.05
done
METUBE_RSS_FEEDS_URL="http://127.0.0.1:$(cat "$work/port")"
export METUBE_RSS_FEEDS_URL
"$bin/fixture-server" --list-csv "$channels" >"$work/channels.csv"
"$bin/fixture-server" --list-ids "$channels" | awk -v base="$METUBE_RSS_FEEDS_URL" '
  { printf "url = \"%s/feeds/videos.xml?channel_id=%s\"\noutput = \"/dev/null\"\n", base, $1 }' >"$work/urls"

# --- Parsing

say "parsing, compared with C"
rm -rf "$work/feeds"
mkdir "$work/feeds"
"$bin/fixture-server" --list-ids 50 | while read -r id; do
  curl --silent --fail --output "$work/feeds/$id.xml" "$METUBE_RSS_FEEDS_URL/feeds/videos.xml?channel_id=$id"
done
feed_size=$(($(cat "$work"/feeds/*.xml | wc -c) / 50 / 1024))
parse=$(Benchmarks/parse.sh "$work/feeds" "$turns")
c_parse=$(sed -n 's/^fastest.* C \([0-9.]*\) .*/\1/p' <<<"$parse")
our_parse=$(sed -n 's/^fastest.* Swift \([0-9.]*\) .*/\1/p' <<<"$parse")

# --- Polling

poll() { "$work/repeat" 1 "$bin/metube-rss" poll --home "$work/home" --rate 0 --force --jobs "$jobs" --quiet; }
curl_all() {
  "$work/repeat" 1 curl --silent --fail --compressed --parallel --parallel-immediate --parallel-max "$jobs" \
    --config "$work/urls" 2>/dev/null  # It shows progress in spite of --silent.
}
rm -f "$work"/{first,again,curl}.txt
generation=0
for turn in $(seq "$turns"); do
  say "polling $channels channels, compared with curl, turn $turn of $turns"
  rm -rf "$work/home"
  "$bin/metube-rss" import --home "$work/home" "$work/channels.csv" >/dev/null
  curl_all >>"$work/curl.txt"
  poll >>"$work/first.txt"
  # Only view counts change, as on YouTube.
  generation=$((1 - generation))
  curl --silent --output /dev/null "$METUBE_RSS_FEEDS_URL/__generation?n=$generation"
  poll >>"$work/again.txt"
done
found=$("$bin/metube-rss" list --home "$work/home" --all --shorts show --limit 0 --format ids | wc -l)
[ "$found" -eq $((channels * 15)) ] || { say "$found videos found, expected $((channels * 15))"; exit 1; }

# --- Start-up of list

say "start-up of list"
rm -rf "$work/empty" "$work/ten"
head -n 668 "$work/channels.csv" | "$bin/metube-rss" import --home "$work/ten" - >/dev/null
"$bin/metube-rss" poll --home "$work/ten" --rate 0 --jobs "$jobs" --quiet
ten=$("$bin/metube-rss" list --home "$work/ten" --all --shorts show --limit 0 --format ids | wc -l)
nothing=$("$work/repeat" "$starts" /bin/true)
version=$("$work/repeat" "$starts" "$bin/metube-rss" --version)
list_empty=$("$work/repeat" "$starts" "$bin/metube-rss" list --home "$work/empty")
list_ten=$("$work/repeat" "$starts" "$bin/metube-rss" list --home "$work/ten")

# --- The table

of() { cut -d ' ' -f "$2" <<<"$1"; }
poll_figures() {
  local file=$work/$1.txt
  echo "$(seconds "$(column "$file" 1)"), at best $(seconds "$(least "$file" 4)")" \
    "($(seconds "$(column "$file" 2)") CPU, $(megabytes "$(column "$file" 3)"))"
}
row() {
  echo "| $1 | $(poll_figures "$2") | \`curl --parallel\`, the same URLs: $(poll_figures curl) |" \
    "$(ratio "$(column "$work/$2.txt" 1)" "$(column "$work/curl.txt" 1)") |"
}
start() {
  echo "| $1 | $(of "$2" 1) ms, at best $(of "$2" 4) ms ($(of "$2" 2) ms CPU, $(megabytes "$(of "$2" 3)")) |" \
    "an empty program: $(of "$nothing" 1) ms | |"
}
echo "| what | metube-rss | reference | ratio |"
echo "|---|---|---|---|"
echo "| parse a feed of $feed_size KB, every field | $our_parse µs | C with the same parser, four fields: $c_parse µs |" \
  "$(ratio "$our_parse" "$c_parse") |"
row "poll $channels channels, the first time" first
row "poll them again, nothing new" again
start "start: \`--version\`" "$version"
start "\`list\`, nothing followed" "$list_empty"
start "\`list\`, $ten videos" "$list_ten"
echo
echo "$(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r | cut -d - -f 1)," \
  "$(curl --version | sed -n 's/^curl \([^ ]*\).*/libcurl \1/p'), libxml2 $(xml2-config --version);" \
  "$turns turns, $starts starts, $jobs concurrent feeds."
