#!/usr/bin/env bash
# Packs the built programs as .build/dist/metube-rss_VERSION_ARCH.deb and metube-hub_VERSION_ARCH.deb, with their libraries
# as dependencies. Checks them with lintian if that is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

umask 022
for tool in dpkg-deb dpkg-shlibdeps; do
  command -v $tool >/dev/null || { echo "deb: $tool is missing; install dpkg-dev" >&2; exit 1; }
done
version=$(.build/release/metube-rss --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
# Whoever builds the package, as for Debian's own tools; else an address that cannot be anyone's (RFC 2606), which lintian takes.
maintainer="${DEBFULLNAME:-metube-rss} <${DEBEMAIL:-metube-rss@metube-rss.invalid}>"
dist=$PWD/.build/dist
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
  install -D -m 644 LICENSE "$tree/usr/share/doc/$1/copyright"
  printf '%s (%s) unstable; urgency=medium\n\n  * CHANGELOG.md says what changed.\n\n -- %s  %s\n' "$1" "$version" \
    "$maintainer" "$(git log -1 --format=%cD 2>/dev/null || date -R)" >"$tree/usr/share/doc/$1/changelog"
  gzip -9n "$tree/usr/share/doc/$1/changelog"
  find "$tree/usr/share/man" -name '*.[15]' -exec gzip -9n {} + 2>/dev/null || true
  needs=$(cd "$work" && dpkg-shlibdeps -O "$tree/usr/bin/$1" | sed -n 's/^shlibs:Depends=//p')
}

# script NAME: a maintainer script of the package in `tree`, from standard input.
script() {
  cat >"$tree/DEBIAN/$1"
  chmod 755 "$tree/DEBIAN/$1"
}

# pack NAME DEPENDS RECOMMENDS: builds the package from `tree`, with its description from standard input.
pack() {
  cat >"$tree/DEBIAN/control" <<END
Package: $1
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
Depends: $2
Recommends: $3
Section: web
Priority: optional
Homepage: https://github.com/metube-rss/metube-rss
Description: $(cat)
END
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  local package=$dist/$1_${version}_$architecture.deb
  dpkg-deb --root-owner-group --build "$tree" "$package" >/dev/null
  echo "$package"
  dpkg-deb --field "$package" Depends
  # It uses sensible-browser only where there is one.
  if command -v lintian >/dev/null; then
    lintian --fail-on error --suppress-tags missing-depends-on-sensible-utils "$package"
  fi
}

grow metube-rss install
# The log is user data; removing the package leaves it.
script postinst <<'END'
#!/bin/sh
# Creates the user of the system timer, which is not started by default, and the folder where commands run as that user
# can make its files before a service first starts.
set -e
if [ "$1" = configure ] && command -v systemd-sysusers >/dev/null; then
  systemd-sysusers metube-rss.conf || true
  if getent passwd metube-rss >/dev/null && [ ! -e /var/lib/metube-rss ]; then
    install -d -o metube-rss -g metube-rss -m 700 /var/lib/metube-rss
  fi
fi
END
script prerm <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --quiet --now metube-rss.timer || true; fi
END
pack metube-rss "$needs, $curl, $xml, ca-certificates" "tzdata, $archive, $curses" <<'END'
YouTube subscriptions from the channels' feeds
 Polls the public feeds of the channels you choose, stores every video in
 plain text files of yours, and lists them in time order: in a terminal, or
 as one Atom feed for any reader. Needs no account and no API key.
END

grow metube-hub install-hub
# The other package has the user.
rm -r "$tree/usr/lib/sysusers.d"
mkdir -p "$tree/usr/share/doc/metube-hub/examples"
install -m 644 docs/examples/{nginx.conf,Caddyfile} "$tree/usr/share/doc/metube-hub/examples"
script postinst <<'END'
#!/bin/sh
# The services are not started by default; running ones are started anew.
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
  if [ -n "$2" ]; then systemctl try-restart metube-hub.service metube-hub-poll.service || true; fi
fi
END
script prerm <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --quiet --now metube-hub.service metube-hub-poll.service || true
fi
END
pack metube-hub "$needs, $curl, $xml, ca-certificates, metube-rss (>= $version)" "tzdata, $archive, $postgres" <<'END'
server for YouTube subscriptions from the channels' feeds
 Serves the subscriptions of metube-rss to browsers, feed readers and other
 programs, at the same time as the terminal: as an API, as Atom and JSON
 feeds, and with polling of its own. With users it asks for passwords.
END
