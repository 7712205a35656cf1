#!/usr/bin/env bash
# Runs the tests of the read model, the hub's store, the API for users and pollers on the PostgreSQL server of the environment; see with-postgres.sh.
set -euo pipefail

# PGHOST and the like say where the server is.
export METUBE_RSS_TEST_POSTGRES="dbname=$PGDATABASE"
swift test --filter "ReadModelTests|HubStoreTests|HubDatabase|HubEnginesTests|HubMoveTests|HubAccountTests|HubPollTests|HubUserTests|HubUserMatrixTests|HubRouteSweepTests|HubMutationTests|DialectUserTests|SharedPollTests|SharedLookupTests|HubOlderTests|BenchmarkStatementTests|SharedPauseTests|SharedPushTests|AppMonthTests|HubUploadTests"
