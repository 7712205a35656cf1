#!/bin/sh
# Parsing a feed beside the floor in C, turn by turn: parse.sh FOLDER [TURNS]
# FOLDER holds feeds as *.xml. Prints µs a feed and the ratio: the median of the turns, and the least at the quickest.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?usage: parse.sh FOLDER [TURNS]}
turns=${2:-5}
mkdir -p "$root/.bench"
# shellcheck disable=SC2046
"${CC:-cc}" -O3 -march=native "$root/Benchmarks/sax2-push.c" -o "$root/.bench/sax2-push" $(xml2-config --cflags --libs)
make --silent --no-print-directory -C "$root" build >&2
for _ in $(seq "$turns"); do
  echo "C $("$root/.bench/sax2-push" "$folder" 15)"
  echo "Swift $("$root/.build/release/bench-parse" "$folder" 15)"
done | sort -k1,1 -k2,2n | awk '
  { median[$1, ++count[$1]] = $2; if (!least[$1] || $6 < least[$1]) least[$1] = $6 }
  function line(name, c, swift) { printf "%-9s C %.1f  Swift %.1f  ratio %.2f\n", name, c, swift, swift / c }
  END {
    middle = int((count["C"] + 1) / 2)
    line("median", median["C", middle], median["Swift", middle])
    line("quickest", least["C"], least["Swift"])
  }'
