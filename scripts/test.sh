#!/usr/bin/env bash
# Runs all tests in two processes side by side, each of which runs as many tests at once as there are cores: tests of the
# server mostly wait for it, the others mostly compute. Every test is in exactly one of the two.
set -uo pipefail
[ -t 1 ] || export NO_COLOR=1
swift build --build-tests || exit
tests="$(swift build --show-bin-path)/metube-rssPackageTests.xctest"
servers='ProgramTests\.(Hub|MeTube|Miniflux|GoogleReader|Reader|WebSearch|Dialect|NumberStore)'

output=$(mktemp)
trap 'kill %% 2>/dev/null; rm -f "$output"' EXIT
"$tests" --testing-library swift-testing --filter "$servers" >"$output" 2>&1 &
status=0
"$tests" --testing-library swift-testing --skip "$servers" || status=$?
wait %% || status=$?
cat "$output"
exit "$status"
