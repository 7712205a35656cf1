# Sourced by the judge scripts: paths of the validators, and how results are reported.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
schemas=${METUBE_RSS_JUDGES:-$root/../shared/judges}
venv=$root/.bench/judges
complaints=0

# good NAME, skipped NAME WHY, bad NAME: report one result, after the validator's own output.
good() { printf 'good     %s\n' "$1"; }
skipped() { printf 'skipped  %s: %s\n' "$1" "$2"; }
bad() {
  printf 'BAD      %s\n' "$1"
  complaints=$((complaints + 1))
}

# judge NAME COMMAND…: reports the result of a command.
judge() {
  local name=$1
  shift
  if "$@"; then good "$name"; else bad "$name"; fi
}

# program NAME PACKAGE: whether a program exists; installs its Debian package if possible.
program() {
  command -v "$1" >/dev/null && return
  [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2" >/dev/null 2>&1
  command -v "$1" >/dev/null
}

# library MODULE PACKAGE…: whether the environment's Python has a module; installs it from PyPI if possible.
library() {
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv" >/dev/null 2>&1 || return
  local module=$1
  shift
  "$venv/bin/python" -c "import $module" 2>/dev/null && return
  "$venv/bin/pip" install -q "$@" >/dev/null 2>&1
  "$venv/bin/python" -c "import $module" 2>/dev/null
}
