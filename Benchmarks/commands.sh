#!/usr/bin/env bash
# Measures daily commands on generated logs with descriptions of 2 KB, and prints a Markdown table: median wall time,
# median CPU time, and peak memory. Writes only to .bench/.
#
#   Benchmarks/commands.sh [VIDEOS]...     default: 100000 1000000; the logs take 2.7 KB per video during the run
set -euo pipefail
cd "$(dirname "$0")/.."

# Generated videos are from the years 2020 to 2025.
since=2025-04-07
sizes=("$@")
[ $# -gt 0 ] || sizes=(100000 1000000)
turns=11
all_up_to=100000  # larger logs are measured with the first few commands only

for name in ${!METUBE_RSS_@}; do unset "$name"; done
export TZ=UTC
bin=$PWD/.build/release
work=$PWD/.bench
mkdir -p "$work"
"${CC:-cc}" -O2 Benchmarks/repeat.c -o "$work/repeat"
trap 'rm -rf "$work/commands"' EXIT

run() { "$bin/metube-rss" "$@" --home "$work/commands"; }

# row NAME TIMES COMMAND…: prints a table row.
row() {
  local name=$1 times=$2
  shift 2
  "$work/repeat" "$times" "$bin/metube-rss" "$@" --home "$work/commands" |
    awk -v name="$name" '{ printf "| %s | %.0f ms | %.0f ms | %.0f MB |\n", name, $1, $2, $3 / 1024 }'
}

# mark_and_undo VIDEO: prints a row each for marking a video and undoing it, in alternation.
mark_and_undo() {
  local turn
  : >"$work/marked"
  : >"$work/undone"
  for turn in $(seq $turns); do
    "$work/repeat" 1 "$bin/metube-rss" watched "$1" --home "$work/commands" >>"$work/marked"
    "$work/repeat" 1 "$bin/metube-rss" undo --home "$work/commands" >>"$work/undone"
  done
  middle "\`watched\`" "$work/marked"
  middle "\`undo\`" "$work/undone"
  rm -f "$work/marked" "$work/undone"
}

# middle NAME FILE: prints a row with the medians of a file with one line per turn.
middle() {
  local name=$1 file=$2 column figures=()
  for column in 1 2 3; do
    figures+=("$(cut -d ' ' -f $column "$file" | sort -n | sed -n "$((turns / 2 + 1))p")")
  done
  printf '%s %s %s\n' "${figures[@]}" |
    awk -v name="$name" '{ printf "| %s | %.0f ms | %.0f ms | %.0f MB |\n", name, $1, $2, $3 / 1024 }'
}

reading() {
  row "\`list\`" $turns list
  row "\`list --all\`" $turns list --all
  row "\`list --search\`, a word" $turns list --search baku
  row "\`list --search\`, two words" $turns list --all --search 'lobanö tupe'
  row "\`list --search\`, one letter" $turns list --all --search a
  row "\`list --search\`, with a symbol" $turns list --all --search 'org/a'
  row "\`list --search\`, no match" $turns list --search locomotive
  Benchmarks/browse.py "$bin/metube-rss" "$work/commands"
}

others() {
  row "\`list --catch-up\`" $turns list --catch-up
  row "\`list --mix\`" $turns list --mix
  row "\`list --tag\`" $turns list --tag science
  row "\`list --since\`, the last tenth" $turns list --since "$since"
  row "\`list --sort found\`" $turns list --sort found
  row "\`history\`" $turns history
  row "\`channels\`" $turns channels
  row "\`status\`" $turns status
  run why "${videos[0]}" >/dev/null
  row "\`why\`" $turns why "${videos[0]}"
  row "\`show\`" $turns show "${videos[0]}"
  mark_and_undo "${videos[1]}"
  row "\`collection show saved\`" $turns collection show saved --format ids
  for number in $(seq 10); do
    run rule add block --contains "giveaway$number" >/dev/null
    run rule add block --matches "^sponsor(ed)? by.*$number" --in title >/dev/null
  done
  row "\`list\`, 20 text rules" $turns list
  row "\`channels\`, 20 text rules" $turns channels
  row "\`list --mix\`, 20 text rules" $turns list --mix
  row "\`list --search\`, a word, 20 text rules" $turns list --search baku
  row "\`rule list\`, 20 text rules" $turns rule list
  row "\`rule test\`, a word, 20 text rules" $turns rule test block --contains baku
  row "\`rule test\`, with a symbol, 20 text rules" $turns rule test block --contains org/a
}

for size in "${sizes[@]}"; do
  echo "commands: $size videos" >&2
  rm -rf "$work/commands"
  "$bin/bench-log" make "$work/commands" "$size" 500
  echo "| $size videos, $(du -m "$work/commands/log" | cut -f 1) MB | median | CPU | memory |"
  echo "|---|---|---|---|"
  row "the first \`list\`, which builds the read model" 1 list
  row "the first \`list --search\`, which builds the index" 1 list --search baku
  mapfile -t videos < <(run list --limit 5 --format urls | sed 's/.*v=//')
  for channel in $(run channels --format ids | head -n 50); do run channel set "$channel" --tag science >/dev/null; done
  reading
  [ "$size" -gt "$all_up_to" ] || others
  echo "| on disk: read model $(du -cm "$work"/commands/cache/read-v*-*.db | tail -n 1 | cut -f 1) MB," \
    "search index $(du -cm "$work"/commands/cache/search-v*.db | tail -n 1 | cut -f 1) MB | | | |"
  echo
done
