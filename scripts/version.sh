#!/bin/sh
# Prints the version of the sources: that of the file VERSION.
cd "$(dirname "$0")/.." || exit 1
if [ -f VERSION ]; then cat VERSION; else .build/release/metube-rss --version | cut -d ' ' -f 2; fi
