#!/usr/bin/env bash
# Runs all tests in four processes side by side, each of which runs as many tests at once as there are cores: most of them
# wait for the programs that they start. Every test is in exactly one; the parts take about the same time. With --built it
# runs what `swift build --build-tests` built before, and needs no lock of .build, which another build may hold.
set -uo pipefail
[ -t 1 ] || export NO_COLOR=1
[ "${1:-}" = --built ] || swift build --build-tests || exit
tests=$PWD/.build/debug/metube-rssPackageTests.xctest
programs='^ProgramTests\.'
servers='^ProgramTests\.(Hub|MeTube|Miniflux|GoogleReader|Reader|WebSearch|Dialect|NumberStore)'
early='^ProgramTests\.[A-H]'

outputs=$(mktemp -d)
processes=()
trap '[ ${#processes[@]} -eq 0 ] || kill "${processes[@]}" 2>/dev/null; rm -rf "$outputs"' EXIT

# Runs a part of the tests in the background, with the options that choose it.
start() {
  "$tests" --testing-library swift-testing "$@" >"$outputs/${#processes[@]}" 2>&1 &
  processes+=($!)
}

start --skip "$programs"
start --filter "$servers"
start --filter "$early" --skip "$servers"
status=0
"$tests" --testing-library swift-testing --filter "$programs" --skip "$servers|$early" || status=$?
for process in "${processes[@]}"; do wait "$process" || status=$?; done
processes=()
cat "$outputs"/*
exit "$status"
