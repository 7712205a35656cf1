#!/usr/bin/env bash
# What the log costs as it grows, beside programs that read the same bytes or answer the same question, as a table of
# Markdown: log.sh [VIDEOS]...
#
# Descriptions are made up, as long as real ones (2 KB). Each figure is the median of some runs of a whole program, its
# start included, with the files in the page cache: time, processor time, which a busy machine hardly changes, and peak
# memory. A million videos need 6 GB of disk and some minutes; the files are in .bench/ and removed at the end, unless
# KEEP is set.
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
  say "simdjson is left out: it is not installed"
fi
command -v sqlite3 >/dev/null || say "sqlite3 is left out: it is not installed"

# The median times and the peak memory of a command that is run so often.
cost() { "$work/repeat" "$@" | awk '{ printf "%.0f ms (%.0f CPU), %.0f MB", $1, $2, $3 / 1024 }'; }
# The median of a measurement within a program.
within() { "$bin/bench-log" "$1" "$2" "$3" | sed -E 's/^[a-z]+: ([0-9.]+) ms.*/\1 ms/'; }

newest="select id, title, channel, published from videos where status = 'new' and short = 0
  order by published desc, id limit 50"

head="| |"
rule="|---|"
rows=(
  "| the log |"
  "| \`wc -l\` |"
  "| simdjson, every line |"
  "| here: the log folded, without a checkpoint |"
  "| here: every title, from the checkpoint |"
  "| sqlite3 with an index: newest 50 unwatched |"
  "| \`list\`: newest 50 unwatched |"
  "| one write and \`fdatasync\` |"
  "| here: one video marked, within the program |"
)

# Appends the next figure to each row.
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
    say "making $videos videos"
    rm -rf "$home" "$home.db"
    "$bin/bench-log" make "$home" "$videos" $((videos < 10000 ? 100 : 1000))
    if command -v sqlite3 >/dev/null; then Benchmarks/log-to-sqlite.py "$log" "$home.db"; fi
    touch "$home/made"
  fi
  turns=$((videos < 1000000 ? 9 : 3))
  say "reading $videos videos"
  cat "$log" >/dev/null
  "$bin/bench-log" checkpoint "$home" 1 >/dev/null
  head+=" $videos videos |"
  rule+="---|"
  add "$(($(stat --format %s "$log") / 1000000)) MB" \
    "$(cost $turns wc -l "$log")" \
    "$([ -x "$work/scan" ] && cost $turns "$work/scan" "$log" || echo "—")" \
    "$(cost $turns "$bin/bench-log" replay "$home" 1)" \
    "$(cost $turns "$bin/bench-log" titles "$home" 1)" \
    "$([ -e "$home.db" ] && cost 41 sqlite3 "$home.db" "$newest" || echo "—")" \
    "$(cost 41 "$bin/metube-rss" list --home "$home")" \
    "$(within append "$home" 101)" \
    "$(within mark "$home" 101)"
done

printf '%s\n' "$head" "$rule" "${rows[@]}"
echo
echo "$(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r | cut -d - -f 1);" \
  "medians of whole programs with their start, and peak memory."
