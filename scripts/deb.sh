#!/usr/bin/env bash
# Packs the built program as .build/dist/metube-rss_VERSION_ARCH.deb, with its libraries as dependencies.
set -euo pipefail
cd "$(dirname "$0")/.."

umask 022
for tool in dpkg-deb dpkg-shlibdeps; do
  command -v $tool >/dev/null || { echo "deb: $tool is missing; install dpkg-dev" >&2; exit 1; }
done
version=$(.build/release/metube-rss --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
dist=$PWD/.build/dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$dist" "$work/debian" "$work/tree/DEBIAN"
tree=$work/tree

make -s install DESTDIR="$tree" PREFIX=/usr
find "$tree/usr/share/man" -name '*.[15]' -exec gzip -9n {} + 2>/dev/null || true
# Debian's zsh reads completions of packages from vendor-completions.
mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
install -D -m 644 LICENSE "$tree/usr/share/doc/metube-rss/copyright"

# dpkg-shlibdeps requires debian/control of a source package in its working directory.
printf 'Source: metube-rss\n\nPackage: metube-rss\nArchitecture: any\n' >"$work/debian/control"
needs=$(cd "$work" && dpkg-shlibdeps -O "$tree/usr/bin/metube-rss" | sed -n 's/^shlibs:Depends=//p')
# These are loaded with dlopen, so dpkg-shlibdeps does not find them.
curl=$(dpkg-query --search '*/libcurl.so.4' | head -n 1 | cut -d : -f 1)
xml=$(dpkg-query --search '*/libxml2.so.2' '*/libxml2.so.16' 2>/dev/null | head -n 1 | cut -d : -f 1)
archive=$(dpkg-query --search '*/libarchive.so.13' | head -n 1 | cut -d : -f 1)

cat >"$tree/DEBIAN/control" <<END
Package: metube-rss
Version: $version
Architecture: $architecture
Maintainer: The metube-rss project <metube-rss@localhost>
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
Depends: $needs, $curl, $xml, ca-certificates
Recommends: tzdata, $archive
Section: web
Priority: optional
Homepage: https://github.com/metube-rss/metube-rss
Description: YouTube subscriptions from the channels' feeds
 Polls the public feeds of the channels you choose, stores every video in
 plain text files of yours, and lists them in time order: in a terminal, or
 as one Atom feed for any reader. Needs no account and no API key.
END
cat >"$tree/DEBIAN/postinst" <<'END'
#!/bin/sh
# Creates the user of the system timer, which is not started by default.
set -e
if [ "$1" = configure ] && command -v systemd-sysusers >/dev/null; then
  systemd-sysusers metube-rss.conf || true
fi
END
chmod 755 "$tree/DEBIAN/postinst"
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
# The log is user data; removing the package leaves it.
package=$dist/metube-rss_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$tree" "$package" >/dev/null
echo "$package"
dpkg-deb --field "$package" Depends
