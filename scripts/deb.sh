#!/usr/bin/env bash
# deb.sh [FOLDER]: packs the built programs as metube-rss_VERSION_ARCH.deb and metube-hub_VERSION_ARCH.deb in .build/dist, or in
# FOLDER, with their libraries as dependencies. Two runs on one commit and the same programs give the same bytes. deb-test.sh checks them.
set -euo pipefail
cd "$(dirname "$0")/.."

umask 022
for tool in dpkg-deb dpkg-shlibdeps python3; do
  command -v $tool >/dev/null || { echo "deb: $tool is missing; install dpkg-dev and python3" >&2; exit 1; }
done
for program in metube-rss metube-hub; do
  [ -x .build/release/$program ] || { echo "deb: .build/release/$program is missing; run make build hub" >&2; exit 1; }
done
version=$(scripts/version.sh)
architecture=$(dpkg --print-architecture)
# The packager, as for Debian's own tools; else an address that cannot be anyone's (RFC 2606), which lintian takes.
maintainer="${DEBFULLNAME:-metube-rss} <${DEBEMAIL:-metube-rss@metube-rss.invalid}>"
SOURCE_DATE_EPOCH=$(scripts/source-date.sh)
export SOURCE_DATE_EPOCH
dist=$(realpath --canonicalize-missing "${1:-.build/dist}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$dist" "$work/debian"
# dpkg-shlibdeps requires debian/control of a source package in its working directory.
printf 'Source: metube-rss\n\nPackage: metube-rss\nArchitecture: any\n' >"$work/debian/control"

# owner FILE...: the package that has the first of these libraries that is installed.
owner() {
  local found file
  for file in "$@"; do
    # dpkg-query fails if no package has the file.
    found=$(dpkg-query --search "*/$file" 2>/dev/null | head -n 1 | cut -d : -f 1) || true
    [ -z "$found" ] || { echo "$found"; return; }
  done
  echo "deb: no installed package has $*; run make setup" >&2
  return 1
}
# These are loaded with dlopen, so dpkg-shlibdeps does not find them.
curl=$(owner libcurl.so.4)
xml=$(owner libxml2.so.2 libxml2.so.16)
archive=$(owner libarchive.so.13)
curses=$(owner libncursesw.so.6)
postgres=$(owner libpq.so.5)

# grow NAME TARGET: the files of a package as a Make target installs them, in `tree`, and its libraries in `needs`.
grow() {
  tree=$work/$1
  mkdir -p "$tree/DEBIAN"
  make -s "$2" DESTDIR="$tree" PREFIX=/usr
  # Debian's zsh reads completions of packages from vendor-completions.
  mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
  sed -i '1{/^#!/d}' "$tree/usr/share/bash-completion/completions/$1"
  local docs=$tree/usr/share/doc/$1
  mkdir -p "$docs"
  { cat LICENSE && printf '\n\n' && scripts/notices.py "$1" --common-licenses; } >"$docs/copyright"
  # What changed for users; the change log of the package itself is the other one (Debian Policy 12.7).
  cp CHANGELOG.md "$docs/NEWS"
  printf '%s (%s) unstable; urgency=medium\n\n  * NEWS.gz lists what changed for users.\n\n -- %s  %s\n' "$1" "$version" \
    "$maintainer" "$(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")" >"$docs/changelog"
  gzip -9n "$docs/NEWS" "$docs/changelog"
  find "$tree/usr/share/man" -type f -name '*.[15]' -exec gzip -9n {} +
  needs=$(cd "$work" && dpkg-shlibdeps -O "$tree/usr/bin/$1" | sed -n 's/^shlibs:Depends=//p')
}

# scripts NAME UNITS SERVICES STOPPED [CREATE PURGE]: the maintainer scripts of the package in `tree` from those in scripts/deb:
# units that an administrator enables, services to restart at an upgrade, units to stop at removal, and its own parts.
scripts() {
  local script
  for script in postinst prerm postrm; do
    sed -e "s/@PACKAGE@/$1/; s/@UNITS@/$2/; s/@SERVICES@/$3/; s/@STOPPED@/$4/" \
      -e "/^@CREATE@$/{r ${5:-/dev/null}" -e 'd}' -e "/^@PURGE@$/{r ${6:-/dev/null}" -e 'd}' \
      "scripts/deb/$script" >"$tree/DEBIAN/$script"
    chmod 755 "$tree/DEBIAN/$script"
  done
}

# pack NAME DEPENDS RECOMMENDS: builds the package from `tree`, with its description from standard input.
pack() {
  cat >"$tree/DEBIAN/control" <<END
Package: $1
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(find "$tree" -path "$tree/DEBIAN" -prune -o -type f -printf '%s\n' | awk '{ n += int(($1 + 1023) / 1024) } END { print n }')
Depends: $2
Recommends: $3
Section: web
Priority: optional
Homepage: https://github.com/metube-rss/metube-rss
Description: $(cat)
END
  (cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  local package=$dist/$1_${version}_$architecture.deb
  dpkg-deb --root-owner-group --build "$tree" "$package" >/dev/null
  echo "$package"
  dpkg-deb --field "$package" Depends
}

grow metube-rss install
scripts metube-rss metube-rss.timer '' 'metube-rss.timer metube-rss.service' scripts/deb/create scripts/deb/purge
# The browser that `play` opens may be sensible-browser.
pack metube-rss "$needs, $curl, $xml, ca-certificates, sensible-utils" "tzdata, $archive, $curses" <<'END'
YouTube subscriptions from the channels' feeds
 Polls the public feeds of the channels you choose, stores every video in
 plain text files of yours, and lists them in time order: in a terminal, or
 as one Atom feed for any reader. Needs no account and no API key.
END

grow metube-hub install-hub
# The other package has the user.
rm -r "$tree/usr/lib/sysusers.d"
install -D -m 644 -t "$tree/usr/share/doc/metube-hub/examples" docs/examples/*
install -D -m 644 scripts/deb/overrides "$tree/usr/share/lintian/overrides/metube-hub"
scripts metube-hub 'metube-hub.service metube-hub-poll.service' 'metube-hub.service metube-hub-poll.service' \
  'metube-hub.service metube-hub-poll.service'
# So does `demo --open`.
pack metube-hub "$needs, $curl, $xml, ca-certificates, sensible-utils, metube-rss (>= $version)" "tzdata, $archive, $postgres" <<'END'
server for YouTube subscriptions from the channels' feeds
 Serves the subscriptions of metube-rss to browsers, feed readers and other
 programs, at the same time as the terminal: as an API, as Atom and JSON
 feeds, and with polling of its own. With users it asks for passwords.
END
