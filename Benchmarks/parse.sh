#!/bin/sh
# Compares feed parsing with the lower bound in C, in alternating turns: parse.sh FOLDER [TURNS]
# FOLDER contains feeds as *.xml. Prints µs per feed and the ratio: the median of the turns, and the minimum of the
# fastest passes.
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
    line("fastest", least["C"], least["Swift"])
  }'
