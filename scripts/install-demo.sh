#!/usr/bin/env bash
# Copies the sample feeds that `metube-hub demo` serves into a folder: feeds.opml, channels/CHANNELID.xml.
#   install-demo.sh FOLDER
#   install-demo.sh --remove FOLDER
set -euo pipefail
umask 022

sources=$(dirname "$0")/..
if [ "$1" = --remove ]; then
  rm -f "$2"/channels/UC*.xml "$2"/feeds.opml
  rmdir "$2"/channels "$2" "$(dirname "$2")" 2>/dev/null || true
  exit
fi
install -D -m 644 -t "$1/channels" "$sources"/Fixtures/feeds/channels/UC*.xml
install -m 644 "$sources/feeds.opml" "$1/feeds.opml"
