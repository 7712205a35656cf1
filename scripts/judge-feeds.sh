#!/usr/bin/env bash
# judge-feeds.sh: compares the parser of feeds with what the tests of other projects expect.
#
# Each suite is a clone, bare or not, that a variable names; one that is unset is skipped:
#   FEEDPARSER_SUITE      kurtmckee/feedparser
#   GOFEED_SUITE          mmcdole/gofeed
#   FEED_RS_SUITE         feed-rs/feed-rs
#   NETNEWSWIRE_SUITE     Ranchero-Software/NetNewsWire
#   FEEDVALIDATOR_SUITE   w3c/feedvalidator
#   FASTFEEDPARSER_SUITE  kagisearch/fastfeedparser, whose recorded feeds also measure the speed
# Uses bench-parse of the release build, else of the debug build. Installs feedparser and fastfeedparser (PyPI) for
# comparison if missing. Exits with 1 if a rate is below its bar.
set -uo pipefail
. "$(dirname "$0")/judge-common.sh"

tool=$root/.build/release/bench-parse
[ -x "$tool" ] || tool=$root/.build/debug/bench-parse
[ -x "$tool" ] || { echo "judge-feeds: $tool: missing; run make tools" >&2; exit 2; }

suite() {
  local name=$1 variable=$2
  shift 2
  if [ -z "${!variable:-}" ]; then
    skipped "$name" "$variable is not set"
  else
    judge "$name" "$python" "$root/scripts/judge-feeds.py" "$name" "${!variable}" "$tool" "$@"
  fi
}

python=python3
if [ -z "${FEEDPARSER_SUITE:-}" ]; then
  suite feedparser FEEDPARSER_SUITE
elif library feedparser feedparser requests; then
  peers=(feedparser)
  ! library fastfeedparser fastfeedparser || peers+=(fastfeedparser)
  python=$venv/bin/python
  suite feedparser FEEDPARSER_SUITE "${peers[@]}"
  python=python3
else
  skipped feedparser 'its suite needs feedparser and what it depends on, which are not installed'
fi
suite gofeed GOFEED_SUITE
suite feed-rs FEED_RS_SUITE
suite netnewswire NETNEWSWIRE_SUITE
suite feedvalidator FEEDVALIDATOR_SUITE
suite fastfeedparser FASTFEEDPARSER_SUITE
if [ -n "${FASTFEEDPARSER_SUITE:-}" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  git -C "$FASTFEEDPARSER_SUITE" archive HEAD benchmark_data | tar x -C "$folder"
  "$tool" web "$folder/benchmark_data" 9
fi

[ "$complaints" -eq 0 ]
