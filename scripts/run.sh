#!/usr/bin/env bash
# Asks YouTube what is new and lists it, with the person's own folders. Who follows nothing yet begins with feeds.opml.
set -euo pipefail
cd "$(dirname "$0")/.."

program=.build/release/metube-rss
if [ -z "$("$program" channels --format ids)" ]; then
  echo "Nothing is followed yet: beginning with the channels of feeds.opml."
  "$program" import feeds.opml
fi
# What was found before is worth a list even when YouTube fails today; the list's status is the script's then.
"$program" poll || echo "The poll ended with status $?; the list below is what is known." >&2
"$program" list
