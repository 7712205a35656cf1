#!/usr/bin/env bash
# Measures how the cost of the log grows, compared with programs that read the same bytes or run the same query, and
# prints a Markdown table: log.sh [VIDEOS]...
#
# Descriptions are generated, as long as real ones (2 KB). Each figure is the median of several runs of a whole program,
# including start-up, with the files in the page cache: wall time, CPU time (which load on the machine hardly changes)
# and peak memory. A million videos need 6 GB of disk and some minutes; the files are in .bench/ and removed at the end,
# unless KEEP is set.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- 1000 10000 100000 1000000

bin=$PWD/.build/release
work=$PWD/.bench/log
for name in ${!METUBE_RSS_@}; do unset "$name"; done
export TZ=UTC
mkdir -p "$work"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
say() { echo "bench: $*" >&2; }

"${CC:-cc}" -O2 Benchmarks/repeat.c -o "$work/repeat"
if ! "${CXX:-c++}" -O3 -march=native -std=c++17 Benchmarks/scan.cpp -o "$work/scan" -lsimdjson 2>"$work/scan.log"; then
  say "simdjson skipped: not installed"
fi
command -v sqlite3 >/dev/null || say "sqlite3 skipped: not installed"

# cost TIMES COMMAND…: median times and peak memory of a command.
cost() { "$work/repeat" "$@" | awk '{ printf "%.0f ms (%.0f CPU), %.0f MB", $1, $2, $3 / 1024 }'; }
# within NAME HOME TIMES: median of a measurement within bench-log.
within() { "$bin/bench-log" "$1" "$2" "$3" | sed -E 's/^[a-z]+: ([0-9.]+) ms.*/\1 ms/'; }

newest="select id, title, channel, published from videos where status = 'new' and short = 0
  order by published desc, id limit 50"

head="| |"
rule="|---|"
rows=(
  "| size of the log |"
  "| \`wc -l\` |"
  "| simdjson, every line |"
  "| metube-rss: building the read model in memory |"
  "| metube-rss: counts of every channel, from the read model |"
  "| sqlite3 with an index: newest 50 unwatched |"
  "| \`list\`: newest 50 unwatched |"
  "| one write and \`fdatasync\` |"
  "| marking one video, within the program |"
)

# add FIGURE…: appends the next figure to each row.
add() {
  local row=0
  for figure in "$@"; do
    rows[row]+=" $figure |"
    row=$((row + 1))
  done
}

for videos in "$@"; do
  home=$work/$videos
  log=$home/log/bench000.jsonl
  if [ ! -e "$home/made" ]; then
    say "generating $videos videos"
    rm -rf "$home" "$home.db"
    "$bin/bench-log" make "$home" "$videos" $((videos < 10000 ? 100 : 1000))
    if command -v sqlite3 >/dev/null; then Benchmarks/log-to-sqlite.py "$log" "$home.db"; fi
    touch "$home/made"
  fi
  turns=$((videos < 1000000 ? 9 : 3))
  say "reading $videos videos"
  cat "$log" >/dev/null
  "$bin/bench-log" newest "$home" 1 >/dev/null
  head+=" $videos videos |"
  rule+="---|"
  add "$(($(stat --format %s "$log") / 1000000)) MB" \
    "$(cost $turns wc -l "$log")" \
    "$([ -x "$work/scan" ] && cost $turns "$work/scan" "$log" || echo "—")" \
    "$(cost $turns "$bin/bench-log" replay "$home" 1)" \
    "$(cost $turns "$bin/bench-log" channels "$home" 1)" \
    "$([ -e "$home.db" ] && cost 41 sqlite3 "$home.db" "$newest" || echo "—")" \
    "$(cost 41 "$bin/metube-rss" list --home "$home")" \
    "$(within append "$home" 101)" \
    "$(within mark "$home" 101)"
done

printf '%s\n' "$head" "$rule" "${rows[@]}"
echo
echo "$(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r | cut -d - -f 1);" \
  "medians of whole programs including start-up, and peak memory."
