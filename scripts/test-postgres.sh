#!/usr/bin/env bash
# Runs the tests of the read model, the hub's store, the API for users and pollers on the PostgreSQL server of the environment; see with-postgres.sh.
set -euo pipefail

# PGHOST and the like say where the server is.
export METUBE_RSS_TEST_POSTGRES="dbname=$PGDATABASE"
swift test --filter "ReadModelTests|HubStoreTests|HubDatabase|HubStartTests|HubEnginesTests|HubMoveTests|HubAccountTests|HubPollTests|HubUserTests|HubUserMatrixTests|HubRouteSweepTests|HubMutationTests|DialectUserTests|SharedPollTests|SharedLookupTests|HubOlderTests|BenchmarkStatementTests|SharedPauseTests|SharedPushTests|AppMonthTests|HubUploadTests|MinifluxClientTests|ReaderFeedTests|NumberStoreTests"

# Not where it cannot be installed; its service is not started.
if ! command -v pgbouncer >/dev/null && [ ! -x /usr/sbin/pgbouncer ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    pgbouncer >/dev/null; } || echo "test-postgres: apt-get cannot install pgbouncer" >&2
fi
scripts/pooler.py .build/debug/metube-hub
