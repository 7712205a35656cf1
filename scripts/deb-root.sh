#!/usr/bin/env bash
# deb-root.sh SUITE PACKAGE.deb… [NAME…]: prints the path of a tar of a system with systemd, what these packages need and
# recommend, so that they can be installed without a network, and the packages of these names (root.sh). Ends with status 75, and the reason on standard error, if there is no
# mirror of the suite whose signatures this machine can check.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=$1
shift
case $suite in
  noble) vendor=Ubuntu mirror=${METUBE_MIRROR_UBUNTU:-} keyring=ubuntu-archive-keyring ;;
  *) vendor=Debian mirror=${METUBE_MIRROR_DEBIAN:-} keyring=debian-archive-keyring ;;
esac
if [ -z "$mirror" ]; then
  apt-get indextargets --format "\$(ORIGIN)" "Created-By: Packages" 2>/dev/null | grep -qx $vendor || {
    echo "this machine's apt has no mirror of $vendor; set METUBE_MIRROR_${vendor^^}" >&2
    exit 75
  }
fi
if [ ! -f /usr/share/keyrings/$keyring.gpg ]; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $keyring; } \
    >/dev/null 2>&1 || true
  [ -f /usr/share/keyrings/$keyring.gpg ] || { echo "there is no $keyring to check a mirror of $vendor with" >&2; exit 75; }
fi
files=() names=()
for each in "$@"; do if [[ $each == *.deb ]]; then files+=("$each"); else names+=("$each"); fi; done
mapfile -t needs < <(for package in "${files[@]}"; do dpkg-deb --field "$package" Depends Recommends; done |
  sed 's/^[A-Z][a-z]*: //' | tr ',' '\n' | sed 's/[|(].*//; s/ //g' | grep -v '^metube-')
# What the tests use besides.
scripts/root.sh "$suite" systemd-sysv dbus dbus-user-session libpam-systemd ca-certificates curl procps sudo "${needs[@]}" \
  "${names[@]}"
