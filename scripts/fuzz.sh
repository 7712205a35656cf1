#!/usr/bin/env bash
# fuzz.sh [SECONDS=60]: lets libFuzzer look for inputs that break the reading of the log or of feeds, so many seconds
# each. It begins with the inputs in Fuzz/corpus and the fixtures, and keeps new ones in .build/fuzz/corpus. What broke
# something is left in .build/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-${FUZZ_SECONDS:-60}}
export FUZZ=1 SWIFT_BACKTRACE=enable=no
folder=.build/fuzz
build() { swift build -c debug --scratch-path $folder/build --product "$1" --sanitize=fuzzer --sanitize=address; }
build fuzz-log
build fuzz-feed

# fuzz NAME LENGTH SEEDS...: an input may have so many bytes, and take 10 s and 2 GB.
fuzz() {
  local name=$1 length=$2
  shift 2
  mkdir -p "$folder/corpus/$name" "$folder/found"
  echo "$name, $seconds s:"
  "$folder/build/debug/fuzz-$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len="$length" \
    -dict="Fuzz/$name.dict" -artifact_prefix="$folder/found/$name-" -print_final_stats=1 -verbosity=1 \
    "$folder/corpus/$name" "Fuzz/corpus/$name" "$@" >"$folder/$name.log" 2>&1 || {
    grep -av 'pulse\|NEW\|REDUCE' "$folder/$name.log" | tail -n 40 >&2
    echo "fuzz: $name broke; the input is in $folder/found" >&2
    exit 1
  }
  grep -a 'DONE\|stat::number_of_executed_units\|stat::peak_rss_mb' "$folder/$name.log"
}

fuzz log 4096
fuzz feed 16384 Fixtures/feeds Fixtures/opml
