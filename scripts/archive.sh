#!/usr/bin/env bash
# Packs the built programs with all libraries, the C library included, as .build/dist/metube-rss-VERSION-linux-MACHINE.tar.gz:
# unpacked in any folder it runs without root and without packages, on Debian 12, Ubuntu 22.04 and newer, and where glibc is
# older. bin/ has launchers (scripts/launcher.c says how they start a program), lib/metube-rss the programs.
# The same programs, packages and commit give the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "archive: $1" >&2
  exit 1
}

for program in metube-rss metube-hub; do
  [ -x .build/release/$program ] || fail ".build/release/$program is missing; run make build hub"
done
version=$(scripts/version.sh)
epoch=$(scripts/source-date.sh)
machine=$(uname -m)
name=metube-rss-$version
work=$PWD/.build/archive
tree=$work/$name
archive=$PWD/.build/dist/$name-linux-$machine.tar.gz
umask 022
rm -rf "$work"
mkdir -p "$tree/bin" "$tree/lib/metube-rss" "${archive%/*}"

scripts/closure.py archive .build/release/metube-rss .build/release/metube-hub --into "$tree" --manifest "$work/closure.json"

glibc=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["glibc"].split(".")[1])' "$work/closure.json")
compiler=(clang -fuse-ld=lld)
! command -v gcc >/dev/null || compiler=(gcc)
"${compiler[@]}" -DNEEDED_GLIBC="$glibc" -Os -Wall -Wextra -Werror -ffreestanding -fno-stack-protector \
  -fno-asynchronous-unwind-tables -fPIE -static-pie -nostdlib -nostartfiles -s -Wl,--build-id=none -Wl,-z,noexecstack \
  -o "$work/launcher" scripts/launcher.c
! readelf --relocs "$work/launcher" | grep -q '^[0-9a-f]\{12\}' || fail "the launcher needs relocations, which it cannot apply"

# Manual pages, completions and documents as packages have them; units name paths of a package, and `timer install` writes
# others. The sample feeds come with the hub.
for target in install install-hub; do make -s "$target" DESTDIR="$work/installed" PREFIX=/usr >/dev/null; done
for program in metube-rss metube-hub; do
  mv "$work/installed/usr/bin/$program" "$tree/lib/metube-rss/$program"
  install -m 755 "$work/launcher" "$tree/bin/$program"
done
rm -rf "$work/installed/usr/share/bug" "$work/installed/usr/share/lintian"
cp -r "$work/installed/usr/share/." "$tree/share"
scripts/install-notices.sh "$tree/share/doc/metube-rss"
cp LICENSE "$tree/LICENSE"
sed "s/@VERSION@/$version/g" scripts/archive-readme.txt >"$tree/README"
chmod -R u=rwX,go=rX "$tree"

tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$work" -cf - "$name" |
  gzip -9n >"$archive.new"
mv "$archive.new" "$archive"
echo "$archive: $(stat --format=%s "$archive") bytes, $(du -sb "$tree" | cut -f 1) unpacked"
