#!/usr/bin/env bash
# Prints the path of a tar of a minimal system of Debian or Ubuntu, and makes it first if it is missing:
#   scripts/root.sh SUITE [PACKAGE…]
# SUITE is bookworm, trixie, jammy, noble and so on; packages besides the minimal ones make a tar of their own. The tars are
# in METUBE_ROOTS (.build/roots); to renew one, delete it. METUBE_MIRROR_DEBIAN and METUBE_MIRROR_UBUNTU are the mirrors;
# unset, they are those of this machine's apt. Needs root and mmdebstrap, which it installs from Debian if missing. The
# status is 75, with the reason, if this machine has no mirror of the suite whose signatures it can check, or cannot make a
# system at all; 1 for a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "root: $2" >&2
  exit "$1"
}

[ $# -ge 1 ] || fail 64 "name a suite: scripts/root.sh bookworm"
suite=$1
shift
folder=${METUBE_ROOTS:-$PWD/.build/roots}
mkdir -p "$folder"
packages=$(printf '%s\n' "$@" | sort -u | paste -sd ,)
root=$folder/$suite${packages:+-$(echo "$packages" | sha256sum | cut -c 1-12)}.tar

# One process makes it; others wait for it.
exec 9>"$root.lock"
flock 9
if [ -s "$root" ]; then
  echo "$root"
  exit
fi

[ "$(id -u)" -eq 0 ] || fail 75 "only root can make the system $suite"
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
if ! command -v mmdebstrap >/dev/null || [ ! -f /usr/share/distro-info/ubuntu.csv ]; then
  command -v apt-get >/dev/null || fail 75 "there is no mmdebstrap, which makes the system $suite"
  { apt-get update -qq && install mmdebstrap distro-info-data; } || fail 1 "apt-get cannot install mmdebstrap"
fi

# Which distribution has the suite: a table of distro-info-data, `version,codename,series,…`.
if grep -qs "^[^,]*,[^,]*,$suite," /usr/share/distro-info/ubuntu.csv; then
  vendor=Ubuntu mirror=${METUBE_MIRROR_UBUNTU:-} components=main,universe keyring=ubuntu-archive-keyring
else
  vendor=Debian mirror=${METUBE_MIRROR_DEBIAN:-} components=main keyring=debian-archive-keyring
fi
own_mirror() {
  apt-get indextargets --format "\$(ORIGIN) \$(COMPONENT) \$(REPO_URI)" "Created-By: Packages" |
    awk -v vendor="$vendor" '$1 == vendor && $2 == "main" { print $3; exit }'
}
[ -n "$mirror" ] || mirror=$(own_mirror)
[ -n "$mirror" ] || fail 75 "this machine's apt has no mirror of $vendor, which has $suite; set METUBE_MIRROR_${vendor^^}"
keys=/usr/share/keyrings/$keyring.gpg
[ -f "$keys" ] || { apt-get update -qq && install $keyring; } 2>/dev/null || true
[ -f "$keys" ] || fail 75 "there is no $keyring to check the signatures of $suite with"

options=(--format=tar --variant=minbase --components="$components" --keyring="$keys")
[ -z "$packages" ] || options+=(--include="$packages")
eval "$(apt-config shell proxy Acquire::http::Proxy)"
[ -z "${proxy:-}" ] || options+=(--aptopt="Acquire::http::Proxy \"$proxy\"")
echo "root: making $suite, which takes a minute" >&2
start=$SECONDS
mmdebstrap "${options[@]}" "$suite" "$root.new" "deb $mirror $suite ${components//,/ }" 2>"$root.log" || {
  tail -n 5 "$root.log" >&2
  rm -f "$root.new"
  fail 1 "mmdebstrap cannot make $suite from $mirror; see $root.log"
}
mv "$root.new" "$root"
echo "root: made $suite in $((SECONDS - start)) s" >&2
echo "$root"
