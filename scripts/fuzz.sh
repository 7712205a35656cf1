#!/usr/bin/env bash
# fuzz.sh [SECONDS=60]: fuzzes the log reader and the feed parser with libFuzzer, SECONDS each. Starts with the inputs
# in Fuzz/corpus and the fixtures, keeps new ones in .build/fuzz/corpus, and stores failing inputs in .build/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-${FUZZ_SECONDS:-60}}
export FUZZ=1 SWIFT_BACKTRACE=enable=no
folder=.build/fuzz
build() { swift build -c debug --scratch-path $folder/build --product "$1" --sanitize=fuzzer --sanitize=address; }
build fuzz-log
build fuzz-feed

# fuzz NAME LENGTH SEEDS...: limits an input to LENGTH bytes, 10 s and 2 GB.
fuzz() {
  local name=$1 length=$2
  shift 2
  mkdir -p "$folder/corpus/$name" "$folder/found"
  echo "$name, $seconds s:"
  "$folder/build/debug/fuzz-$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len="$length" \
    -dict="Fuzz/$name.dict" -artifact_prefix="$folder/found/$name-" -print_final_stats=1 -verbosity=1 \
    "$folder/corpus/$name" "Fuzz/corpus/$name" "$@" >"$folder/$name.log" 2>&1 || {
    grep -av 'pulse\|NEW\|REDUCE' "$folder/$name.log" | tail -n 40 >&2
    echo "fuzz: $name failed; the input is in $folder/found" >&2
    exit 1
  }
  grep -a 'DONE\|stat::number_of_executed_units\|stat::peak_rss_mb' "$folder/$name.log"
}

fuzz log 4096
fuzz feed 16384 Fixtures/feeds Fixtures/opml
