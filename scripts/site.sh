#!/usr/bin/env bash
# Writes the documents as a static site into .build/site, with markdown-it-py from PyPI in an environment of its own.
# `site.sh --test` tests it too: links, and each page with axe in Chromium, which it installs from Debian if missing.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "site: $1" >&2
  exit 1
}

missing=()
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
packages=(markdown-it-py)
if [ "${1:-}" = --test ]; then
  packages+=(playwright axe-playwright-python)
  [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || missing+=(chromium)
fi
if [ ${#missing[@]} -gt 0 ]; then
  as_root=
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  command -v apt-get >/dev/null && { [ -z "$as_root" ] || command -v sudo >/dev/null; } || fail "install ${missing[*]} first"
  { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null; } ||
    fail "apt-get cannot install ${missing[*]}"
fi

venv=$PWD/.bench/site
if ! "$venv/bin/python" -c 'import sys; from importlib.metadata import version; [version(name) for name in sys.argv[1:]]' \
  "${packages[@]}" 2>/dev/null; then
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
  "$venv/bin/pip" install -q "${packages[@]}" || fail "pip cannot install ${packages[*]}"
fi
"$venv/bin/python" scripts/site.py
[ "${1:-}" != --test ] || CHROMIUM=${CHROMIUM:-$(command -v chromium)} exec "$venv/bin/python" scripts/site-test.py
