#!/usr/bin/env bash
# Runs the tests of the read model and the hub's store on the PostgreSQL server of the environment; see with-postgres.sh.
set -euo pipefail

# PGHOST and the like say where the server is.
export METUBE_RSS_TEST_POSTGRES="dbname=$PGDATABASE"
swift test --filter "ReadModelTests|HubStoreTests"
