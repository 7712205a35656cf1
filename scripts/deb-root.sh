#!/usr/bin/env bash
# deb-root.sh SUITE PACKAGE.deb… [NAME…]: prints the path of a tar of a system with systemd, what these packages need and
# recommend, so that they can be installed without a network, and the packages of these names. The status is that of root.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=$1
shift
files=() names=()
for each in "$@"; do if [[ $each == *.deb ]]; then files+=("$each"); else names+=("$each"); fi; done
mapfile -t needs < <(for package in "${files[@]}"; do dpkg-deb --field "$package" Depends Recommends; done |
  sed 's/^[A-Z][a-z]*: //' | tr ',' '\n' | sed 's/[|(].*//; s/ //g' | grep -v '^metube-')
# What the tests use besides.
scripts/root.sh "$suite" systemd-sysv dbus dbus-user-session libpam-systemd ca-certificates curl procps sudo "${needs[@]}" \
  "${names[@]}"
