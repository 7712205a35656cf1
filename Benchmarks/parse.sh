#!/bin/sh
# Parsing a feed beside the floor in C, turn by turn: parse.sh FOLDER [TURNS]
# FOLDER holds feeds as *.xml. Prints both medians in µs a feed and their ratio.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?usage: parse.sh FOLDER [TURNS]}
turns=${2:-5}
mkdir -p "$root/.bench"
# shellcheck disable=SC2046
"${CC:-cc}" -O3 -march=native "$root/Benchmarks/sax2-push.c" -o "$root/.bench/sax2-push" $(xml2-config --cflags --libs)
swift build --package-path "$root" -c release --product bench-parse >&2
for _ in $(seq "$turns"); do
  echo "C $("$root/.bench/sax2-push" "$folder" 9)"
  echo "Swift $("$root/.build/release/bench-parse" "$folder" 9)"
done | sort -k1,1 -k2,2n | awk '
  { value[$1, ++count[$1]] = $2 }
  END {
    c = value["C", int((count["C"] + 1) / 2)]
    swift = value["Swift", int((count["Swift"] + 1) / 2)]
    printf "C %.1f µs/feed, Swift %.1f µs/feed, ratio %.2f\n", c, swift, swift / c
  }'
