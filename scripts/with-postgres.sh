#!/usr/bin/env bash
# Runs a command with a PostgreSQL server of its own, which is stopped and deleted afterwards:
#   scripts/with-postgres.sh psql -c 'SELECT version()'
# The server listens on a Unix socket only; PGHOST, PGUSER, PGDATABASE and PATH lead to it. POSTGRES_OPTIONS are further
# options of `postgres`, POSTGRES_FOLDER is where its data lies (.build). Installs PostgreSQL 15 from Debian if missing.
set -euo pipefail

fail() {
  echo "with-postgres: $1" >&2
  exit 1
}

binaries() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }
if ! command -v initdb >/dev/null; then
  if [ -z "$(binaries)" ]; then
    command -v apt-get >/dev/null || fail "install PostgreSQL 15 or newer first"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
      as_root=sudo
      command -v sudo >/dev/null || fail "run as root: apt-get install postgresql postgresql-contrib"
    fi
    # No cluster of the system's is made.
    $as_root mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
      echo "create_main_cluster = false" | $as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
    { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq postgresql postgresql-contrib >/dev/null; } || fail "apt-get cannot install postgresql"
  fi
  PATH=$(binaries):$PATH
fi

# PostgreSQL does not run as root.
as_postgres=()
[ "$(id -u)" -ne 0 ] || as_postgres=(runuser -u postgres --)
parent=${POSTGRES_FOLDER:-$PWD/.build}
mkdir -p "$parent"
folder=$(mktemp -d "$parent/postgres.XXXXXX")
sockets=$(mktemp -d /tmp/postgres.XXXXXX)
end() {
  [ ! -f "$folder/data/postmaster.pid" ] || "${as_postgres[@]}" "$(command -v pg_ctl)" stop -s -m fast -D "$folder/data" || true
  rm -rf "$folder" "$sockets"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$folder" "$sockets"
  # A checkout in root's home, say, is closed to others.
  if ! runuser -u postgres -- test -x "$folder"; then
    rm -rf "$folder"
    folder=$(mktemp -d /tmp/postgres-data.XXXXXX)
    chown postgres "$folder"
  fi
fi
cd /
"${as_postgres[@]}" "$(command -v initdb)" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C >"$sockets/initdb.log" 2>&1 ||
  { cat "$sockets/initdb.log" >&2; fail "initdb failed"; }
"${as_postgres[@]}" "$(command -v pg_ctl)" start -s -w -D "$folder/data" -l "$folder/log" \
  -o "-c listen_addresses= -c unix_socket_directories=$sockets ${POSTGRES_OPTIONS:-}" ||
  { cat "$folder/log" >&2; fail "the server does not start"; }
cd "$OLDPWD"
export PATH PGHOST=$sockets PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
export POSTGRES_DATA=$folder/data POSTGRES_LOG=$folder/log
"$@"
