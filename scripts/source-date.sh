#!/bin/sh
# Prints the time that files of a release get, in seconds since 1970: SOURCE_DATE_EPOCH if it is set, else the time of the last
# commit, else, for sources without a repository, that of the newest entry of the change log's file.
cd "$(dirname "$0")/.." || exit 1
if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
  echo "$SOURCE_DATE_EPOCH"
else
  git log -1 --format=%ct 2>/dev/null || stat --format=%Y CHANGELOG.md
fi
