#!/usr/bin/env bash
# Packs the sources of the last commit, and the files that `make install` installs, into .build/dist.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(.build/release/metube-rss --version | cut -d ' ' -f 2)
machine=$(uname -m)
dist=$PWD/.build/dist
mkdir -p "$dist"

git archive --prefix "metube-rss-$version/" -o "$dist/metube-rss-$version.tar.gz" HEAD

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
make -s install DESTDIR="$tree" PREFIX=/usr
tar --sort=name --owner=0 --group=0 --numeric-owner -C "$tree" -czf "$dist/metube-rss-$version-linux-$machine.tar.gz" usr
ls -l "$dist"
