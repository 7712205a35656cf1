#!/usr/bin/env bash
# Polls YouTube and lists new videos, with the user's own folders. If nothing is followed yet, imports feeds.opml first.
set -euo pipefail
cd "$(dirname "$0")/.."

program=.build/release/metube-rss
if [ -z "$("$program" channels --format ids)" ]; then
  echo "You follow nothing yet: starting with the channels of feeds.opml."
  "$program" import feeds.opml
fi
# List earlier videos even if YouTube fails today; the exit status is then that of the list.
"$program" poll || echo "The poll ended with status $?; the list shows videos found so far." >&2
"$program" list
