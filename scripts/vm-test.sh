#!/usr/bin/env bash
# Tests the packages of .build/dist under a running systemd: boots the Debian release of this machine in systemd-nspawn, with a
# network of its own, installs the packages, runs what the manual says of the service, polls a fixture feed by the timer's
# service, serves, upgrades, stops, removes, purges; see vm-checks.sh. Needs root; installs systemd-container from Debian if it
# is missing. deb-root.sh makes the base system. The last line is `vm-test: N failed`; if the machine cannot boot a container at
# all, or reaches no mirror, `vm-test: skipped: …` with status 0.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "vm-test: skipped: $1"
  exit 0
}

[ "$(id -u)" -eq 0 ] || skip "only root can boot a container"
command -v apt-get >/dev/null || skip "there is no apt-get to make a base system with"
if ! command -v systemd-nspawn >/dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends systemd-container; } \
    >/dev/null 2>&1 || { echo "vm-test: apt-get cannot install systemd-container" >&2; exit 1; }
fi

version=$(scripts/version.sh)
architecture=$(dpkg --print-architecture)
packages=()
for name in metube-rss metube-hub; do packages+=(".build/dist/${name}_${version}_$architecture.deb"); done
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

work=$(mktemp -d "${TMPDIR:-/tmp}/vm-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root

# The container has no network.
status=0
base=$(scripts/deb-root.sh "$suite" "${packages[@]}" 2>"$work/reason") || status=$?
[ $status -ne 75 ] || skip "$(tail -n 1 "$work/reason")"
[ $status -eq 0 ] || { cat "$work/reason" >&2; exit 1; }
mkdir "$root"
tar -C "$root" -xf "$base"
cp "${packages[@]}" "$root/root/"
scripts/deb-earlier.sh "$version~earlier" "$root/root/earlier" "${packages[@]}"
install -s -m 755 .build/release/fixture-server "$root/usr/local/bin/fixture-server"
cp -r Fixtures/feeds/channels "$root/srv/feeds"
cp -r scripts/vm-checks.sh docs "$root/root/"
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
