#!/usr/bin/env bash
# Tests a reboot with the packages of .build/dist: boots the Debian release of this machine in QEMU without hardware
# virtualisation, installs an earlier version, sets up the hub, the system timer and the timer of a user who is not logged in,
# reboots, and checks that all three are back with their data; then upgrades. See reboot-checks.sh. Takes three to five
# minutes and 1 GB of disk, and is not a part of CI. Needs root; installs qemu-system and e2fsprogs from Debian if missing.
# The last line is `vm-reboot: N failed`; without root or a mirror `vm-reboot: skipped: …` with status 0.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "vm-reboot: skipped: $1"
  exit 0
}

[ "$(id -u)" -eq 0 ] || skip "only root can make a disk with files of other users"
command -v apt-get >/dev/null || skip "there is no apt-get to make a base system with"
architecture=$(dpkg --print-architecture)
case $architecture in
  amd64) qemu=qemu-system-x86_64 package=qemu-system-x86 ;;
  *) skip "no virtual machine for $architecture is set up" ;;
esac
if ! command -v $qemu >/dev/null || ! command -v mkfs.ext4 >/dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $package e2fsprogs; } \
    >/dev/null 2>&1 || { echo "vm-reboot: apt-get cannot install $package" >&2; exit 1; }
fi

version=$(scripts/version.sh)
packages=()
for name in metube-rss metube-hub; do packages+=(".build/dist/${name}_${version}_$architecture.deb"); done
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
work=$(mktemp -d "${TMPDIR:-/tmp}/vm-reboot.XXXXXX")
trap 'rm -rf "$work"' EXIT
status=0
base=$(scripts/deb-root.sh "$suite" "${packages[@]}" "linux-image-cloud-$architecture" initramfs-tools 2>"$work/reason") ||
  status=$?
[ $status -ne 75 ] || skip "$(tail -n 1 "$work/reason")"
[ $status -eq 0 ] || { cat "$work/reason" >&2; exit 1; }

root=$work/root
mkdir "$root"
tar -C "$root" -xf "$base"
cp "${packages[@]}" "$root/root/"
scripts/deb-earlier.sh "$version~earlier" "$root/root/earlier" "${packages[@]}"
install -s -m 755 .build/release/fixture-server "$root/usr/local/bin/fixture-server"
cp -r Fixtures/feeds/channels "$root/srv/feeds"
cp scripts/reboot-checks.sh "$root/root/"
units=$root/etc/systemd/system
printf '%s\n' '[Unit]' 'After=multi-user.target fixtures.service' '[Service]' 'Type=idle' 'TimeoutStartSec=infinity' \
  'StandardOutput=tty' 'StandardError=tty' 'TTYPath=/dev/ttyS1' 'ExecStart=/bin/bash /root/reboot-checks.sh' \
  >"$units/reboot-checks.service"
printf '%s\n' '[Service]' 'ExecStart=/usr/local/bin/fixture-server /srv/feeds --port 8080' >"$units/fixtures.service"
mkdir -p "$units/multi-user.target.wants"
ln -s ../reboot-checks.service ../fixtures.service "$units/multi-user.target.wants/"
cp "$root"/boot/vmlinuz-* "$work/kernel"
cp "$root"/boot/initrd.img-* "$work/initrd"
truncate --size=3G "$work/disk"
mkfs.ext4 -q -d "$root" "$work/disk"
rm -rf "$root"

started=$SECONDS
timeout --signal=KILL 1500 $qemu -machine q35,accel=tcg -cpu max -smp 2 -m 1G -display none -monitor none -nic none \
  -drive "file=$work/disk,format=raw,if=virtio" -kernel "$work/kernel" -initrd "$work/initrd" \
  -append 'root=/dev/vda rw console=ttyS0 quiet' -serial "file:$work/console" -serial "file:$work/checks" </dev/null || true
tr -d '\r' <"$work/checks"
tr -d '\r' <"$work/checks" | tail -n 1 | grep -qx 'vm-reboot: 0 failed' || { tail -n 20 "$work/console" >&2; exit 1; }
echo "two boots in $((SECONDS - started)) s" >&2
