#!/usr/bin/env bash
# Tests the packages of .build/dist under a running systemd: boots the Debian release of this machine in systemd-nspawn, with a
# network of its own, installs the packages, runs what docs/hub.md says of the service, polls a fixture feed by the timer's
# service, serves, stops, removes. Needs root; installs mmdebstrap and systemd-container from Debian if missing. The base
# system is kept in .build/vm (200 MB). The last line is `vm-test: N failed`; if the machine cannot boot a container at all,
# `vm-test: skipped: …` with status 0.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "vm-test: skipped: $1"
  exit 0
}

[ "$(id -u)" -eq 0 ] || skip "only root can boot a container"
for program in mmdebstrap systemd-nspawn; do
  command -v $program >/dev/null && continue
  command -v apt-get >/dev/null || skip "there is no $program"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    mmdebstrap systemd-container >/dev/null; } || { echo "vm-test: apt-get cannot install $program" >&2; exit 1; }
done

version=$(.build/release/metube-rss --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
packages=()
for name in metube-rss metube-hub; do packages+=(".build/dist/${name}_${version}_$architecture.deb"); done
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

work=$(mktemp -d "${TMPDIR:-/tmp}/vm-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root

# What the packages need and recommend, so that dpkg alone installs them in the container, which has no network; and what the
# checks and the documented commands use.
needs=systemd-sysv,dbus,curl,sudo,$(for package in "${packages[@]}"; do
  dpkg-deb --field "$package" Depends Recommends
done |
  sed 's/^[A-Z][a-z]*: //' | tr ',' '\n' | sed 's/[|(].*//; s/ //g' | grep -v '^metube-' | sort -u | paste -sd ,)
base=.build/vm/$suite-$(echo "$needs" | sha256sum | cut -c 1-12).tar
if [ ! -f "$base" ]; then
  mkdir -p .build/vm
  mirror=$(apt-get indextargets --format "\$(REPO_URI)" "Created-By: Packages" | head -n 1)
  mmdebstrap --format=tar --variant=minbase --include="$needs" --dpkgopt='path-exclude=/usr/share/doc/*' \
    "$suite" "$base.new" "deb ${mirror:-http://deb.debian.org/debian} $suite main" 2>"$work/mmdebstrap.log" ||
    { tail -n 5 "$work/mmdebstrap.log" >&2; echo "vm-test: mmdebstrap cannot make Debian $suite" >&2; exit 1; }
  mv "$base.new" "$base"
fi
mkdir "$root"
tar -C "$root" -xf "$base"
cp "${packages[@]}" "$root/root/"
install -s -m 755 .build/release/fixture-server "$root/usr/local/bin/fixture-server"
cp -r Fixtures/feeds/channels "$root/srv/feeds"
cp scripts/vm-checks.sh docs/hub.md "$root/root/"
printf '%s\n' '[Unit]' 'After=multi-user.target' '[Service]' 'Type=idle' \
  'ExecStart=/bin/bash -c "/root/vm-checks.sh >/root/checks 2>&1"' 'ExecStopPost=/sbin/poweroff' \
  >"$root/etc/systemd/system/vm-checks.service"
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -s ../vm-checks.service "$root/etc/systemd/system/multi-user.target.wants/"

# Without systemd on this machine there is no unit to put the container into.
keeps=()
[ -d /run/systemd/system ] || keeps=(--keep-unit)
timeout --signal=KILL 900 systemd-nspawn --quiet --directory="$root" --boot --private-network --register=no "${keeps[@]}" \
  --kill-signal=SIGRTMIN+3 </dev/null >"$work/boot.log" 2>&1 || true
if [ ! -f "$root/root/checks" ]; then
  tail -n 5 "$work/boot.log" >&2
  skip "this machine cannot boot a container; see above"
fi
cat "$root/root/checks"
tail -n 1 "$root/root/checks" | grep -qx 'vm-test: 0 failed'
