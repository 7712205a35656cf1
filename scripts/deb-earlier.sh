#!/usr/bin/env bash
# deb-earlier.sh VERSION FOLDER PACKAGE.deb…: writes the packages into FOLDER as an earlier version, to test upgrades from.
set -euo pipefail

version=$1 folder=$2
shift 2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$folder"
for package in "$@"; do
  IFS=_ read -r name _ architecture <<<"$(basename "$package")"
  dpkg-deb --raw-extract "$package" "$tree/$name"
  sed -i "s/^Version: .*/Version: $version/; s/metube-rss (>= [^)]*)/metube-rss (>= $version)/" "$tree/$name/DEBIAN/control"
  # Not compressed: it is unpacked at once.
  dpkg-deb --root-owner-group -Znone --build "$tree/$name" "$folder/${name}_${version}_$architecture" >/dev/null
done
