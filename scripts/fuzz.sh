#!/usr/bin/env bash
# fuzz.sh [SECONDS=60]: fuzzes the readers of what strangers send with libFuzzer, SECONDS each: the log, feeds of
# YouTube and of the web, files (JSON, gzip, CSV, imports), and requests (targets, forms, credentials, pushes, lines of an
# exchange). Starts with the inputs in Fuzz/corpus and the fixtures, keeps new ones in .build/fuzz/corpus, and stores
# failing inputs in .build/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-${FUZZ_SECONDS:-60}}
export FUZZ=1 SWIFT_BACKTRACE=enable=no
folder=.build/fuzz
build() { swift build -c debug --scratch-path $folder/build --product "$1" --sanitize=fuzzer --sanitize=address; }
build fuzz-log
build fuzz-feed
build fuzz-web
build fuzz-files
build fuzz-requests

# seed NAME LETTER FILE...: makes inputs of a target whose first byte selects a parser.
seed() {
  local target=$1 letter=$2 file
  shift 2
  mkdir -p "$folder/seeds/$target"
  for file in "$@"; do { printf %s "$letter"; cat "$file"; } >"$folder/seeds/$target/$letter-$(basename "$file")"; done
}

# fuzz NAME LENGTH SEEDS...: limits an input to LENGTH bytes, 10 s and 2 GB.
fuzz() {
  local name=$1 length=$2
  shift 2
  local inputs=("$folder/corpus/$name" "$@") words=()
  mkdir -p "$folder/corpus/$name" "$folder/found"
  [ ! -d "Fuzz/corpus/$name" ] || inputs+=("Fuzz/corpus/$name")
  [ ! -f "Fuzz/$name.dict" ] || words=(-dict="Fuzz/$name.dict")
  echo "$name, $seconds s:"
  "$folder/build/debug/fuzz-$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len="$length" \
    "${words[@]}" -artifact_prefix="$folder/found/$name-" -print_final_stats=1 -verbosity=1 "${inputs[@]}" >"$folder/$name.log" 2>&1 || {
    grep -av 'pulse\|NEW\|REDUCE' "$folder/$name.log" | tail -n 40 >&2
    echo "fuzz: $name failed; the input is in $folder/found" >&2
    exit 1
  }
  grep -a 'DONE\|stat::number_of_executed_units\|stat::peak_rss_mb' "$folder/$name.log"
}

fuzz log 4096
fuzz feed 16384 Fixtures/feeds Fixtures/opml
fuzz web 16384 Fixtures/webfeeds Fixtures/feeds
rm -rf $folder/seeds
seed files i Fixtures/imports/*
seed files j Fixtures/imports/*.json
seed files c Fixtures/imports/*.csv
gzip -9nc Fixtures/imports/channels.txt >$folder/channels.gz
seed files g $folder/channels.gz
fuzz files 16384 $folder/seeds/files
seed requests l Fuzz/corpus/log/*
fuzz requests 8192 $folder/seeds/requests
