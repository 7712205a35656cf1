#!/usr/bin/env bash
# deb-test.sh [SUITE…]: tests the packages of .build/dist in root folders of Debian 12, Debian 13 and Ubuntu 24.04 (bookworm,
# trixie, noble), or of these suites alone, without a running systemd: installs them, runs both programs, upgrades, removes,
# installs again, purges; see deb-checks.sh. Nothing there reaches a network. Checks the packages with lintian too.
# Needs root. deb-root.sh makes the root folders; releases whose mirror cannot be reached or verified are skipped. The last
# line is `deb-test: N failed` with the releases, or `deb-test: skipped: …` with status 0 if this machine cannot run it.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "deb-test: skipped: $1"
  exit 0
}

[ "$(id -u)" -eq 0 ] || skip "only root can make root folders"
command -v apt-get >/dev/null || skip "there is no apt-get to make root folders with"
unshare --mount --net --pid --fork true 2>/dev/null || skip "this machine allows no namespaces"
if ! command -v lintian >/dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends lintian; } >/dev/null 2>&1 ||
    { echo "deb-test: apt-get cannot install lintian" >&2; exit 1; }
fi

version=$(scripts/version.sh)
architecture=$(dpkg --print-architecture)
new=()
for name in metube-rss metube-hub; do new+=(".build/dist/${name}_${version}_$architecture.deb"); done
for package in "${new[@]}"; do [ -f "$package" ] || { echo "deb-test: $package is missing; run make deb" >&2; exit 1; }; done
work=$(mktemp -d "${TMPDIR:-/tmp}/deb-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The same packages as an earlier version, to upgrade from.
earlier=$version~earlier
scripts/deb-earlier.sh "$earlier" "$work/old" "${new[@]}"
mkdir "$work/fixture"
install -s -m 755 .build/release/fixture-server "$work/fixture/fixture-server"

failed=0
# check WHAT COMMAND…: whether the command succeeds.
check() {
  local what=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    echo "ok    $what"
  else
    echo "FAIL  $what"
    sed 's/^/      /' "$work/out"
    failed=$((failed + 1))
  fi
}
check 'lintian reports neither errors nor warnings' lintian --allow-root --fail-on error,warning "${new[@]}"
# Not compressed, for speed.
export DPKG_DEB_COMPRESSOR_TYPE=none
scripts/deb.sh "$work/first" >/dev/null
(umask 077 && TZ=Asia/Tokyo LC_ALL=C scripts/deb.sh "$work/second" >/dev/null)
check 'packages made again have the same bytes' diff --recursive "$work/first" "$work/second"
tested=() skipped=()
for release in bookworm:'Debian 12' trixie:'Debian 13' noble:'Ubuntu 24.04'; do
  suite=${release%%:*} name=${release#*:}
  [ $# -eq 0 ] || [[ " $* " == *" $suite "* ]] || continue
  status=0
  tar=$(scripts/deb-root.sh "$suite" "${new[@]}" 2>"$work/reason") || status=$?
  if [ $status -eq 75 ]; then
    skipped+=("$name ($(tail -n 1 "$work/reason"))")
    continue
  elif [ $status -ne 0 ]; then
    cat "$work/reason" >&2
    exit 1
  fi
  tested+=("$name")
  echo "== $name"
  root=$work/root
  mkdir "$root"
  tar -C "$root" -xf "$tar"
  mkdir "$root/srv/new"
  cp "${new[@]}" "$root/srv/new"
  cp -r "$work/old" "$root/srv/old"
  cp "$work/fixture/fixture-server" "$root/usr/local/bin/"
  cp -r Fixtures/feeds/channels "$root/srv/feeds"
  cp scripts/deb-checks.sh "$root/srv/"
  # A network with loopback alone.
  unshare --mount --net --pid --fork --kill-child --mount-proc="$root/proc" bash -c '
    python3 -c "import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack(\"16sh14x\", b\"lo\", 0x1 | 0x40))"
    exec env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$0" /bin/bash /srv/deb-checks.sh "$1" "$2"' \
    "$root" "$earlier" "$version" </dev/null | tee "$work/checks"
  count=$(sed -n 's/^checks: \([0-9]*\) failed$/\1/p' "$work/checks")
  failed=$((failed + ${count:-1}))
  rm -rf "$root"
done

[ ${#tested[@]} -gt 0 ] || { [ $failed -eq 0 ] && skip "${skipped[*]}"; }
# join TEXT…: with commas.
join() { printf '%s, ' "$@" | sed 's/, $//'; }
echo "deb-test: $failed failed on $(join "${tested[@]}")${skipped[*]:+; skipped: $(join "${skipped[@]}")}"
[ $failed -eq 0 ]
