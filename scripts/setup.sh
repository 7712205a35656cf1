#!/usr/bin/env bash
# Installs missing build dependencies: libxml2, libcurl, libarchive, SQLite, PCRE2, ncurses, zlib, libpq, libcrypt and libcrypto with their headers, and pkg-config.
# Reports what it cannot install. Returns quickly if nothing is missing.
set -euo pipefail

oldest_swift=6.2

tell_swift() {
  echo "setup: $1" >&2
  echo "       Swift $oldest_swift or newer is required: https://www.swift.org/install/" >&2
  exit 1
}

command -v swift >/dev/null || tell_swift "swift is not in PATH."
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
if [ "$(printf '%s\n' "$oldest_swift" "$version" | sort -V | head -n 1)" != "$oldest_swift" ]; then
  tell_swift "Found Swift ${version:-of unknown version}."
fi

if command -v pkg-config >/dev/null && pkg-config --exists libxml-2.0 libcurl libarchive sqlite3 libpcre2-8 ncursesw zlib libpq libcrypt libcrypto; then
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  cat >&2 <<'END'
setup: missing libxml2, libcurl, libarchive, SQLite, PCRE2, ncurses, zlib, libpq, libcrypt or libcrypto (with headers), or pkg-config. Install them, for example:
         Fedora       dnf install libxml2-devel libcurl-devel libarchive-devel sqlite-devel pcre2-devel ncurses-devel zlib-devel libpq-devel libxcrypt-devel openssl-devel pkgconf-pkg-config
         Arch         pacman -S libxml2 curl libarchive sqlite pcre2 ncurses zlib postgresql-libs libxcrypt openssl pkgconf
         openSUSE     zypper install libxml2-devel libcurl-devel libarchive-devel sqlite3-devel pcre2-devel ncurses-devel zlib-devel postgresql-devel libxcrypt-devel libopenssl-devel pkg-config
END
  exit 1
fi

packages="libxml2-dev libcurl4-openssl-dev libarchive-dev libsqlite3-dev libpcre2-dev libncurses-dev zlib1g-dev libpq-dev libcrypt-dev libssl-dev pkg-config"
as_root=
if [ "$(id -u)" -ne 0 ]; then
  as_root=sudo
  command -v sudo >/dev/null || {
    echo "setup: run as root: apt-get install $packages" >&2
    exit 1
  }
fi
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages
