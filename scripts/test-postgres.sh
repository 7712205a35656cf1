#!/usr/bin/env bash
# Runs all test suites that can use a PostgreSQL server on that of the environment, see with-postgres.sh, and fails if one of
# them did not run; then asks through a pooler. scripts/postgres_suites.py finds the suites in their sources.
set -euo pipefail

# PGHOST and the like say where the server is.
export METUBE_RSS_TEST_POSTGRES="dbname=$PGDATABASE"
suites=$(scripts/postgres_suites.py)
echo "$suites"
names=$(tr '\n' '|' <<<"${suites//./\\.}")
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
swift test --filter "^(${names%|})/" --xunit-output "$results/results.xml"
scripts/postgres_suites.py "$results"/results*.xml

# Not where it cannot be installed; its service is not started.
if ! command -v pgbouncer >/dev/null && [ ! -x /usr/sbin/pgbouncer ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    pgbouncer >/dev/null; } || echo "test-postgres: apt-get cannot install pgbouncer" >&2
fi
scripts/pooler.py .build/debug/metube-hub
scripts/standby.py .build/debug/metube-hub
