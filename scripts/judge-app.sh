#!/usr/bin/env bash
# Compiles the MeTube app's network code for judge-readers.py: both generations of it, from METUBE_APP, a clone of
# https://github.com/pardeike/MeTube, into .bench/app. Nothing of it is kept in the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -n "${METUBE_APP:-}" ] || exit 1
folder=.bench/app
rm -rf "$folder"
mkdir -p "$folder"
# take COMMIT FILE: a file of the app, which on other systems needs one more module.
take() {
  { echo 'import FoundationNetworking'; git -C "$METUBE_APP" show "$1:MeTube/Services/$2"; } >"$folder/$2"
}
take HEAD MeTubeAPIService.swift
# The last commit before the app changed to the newer generation.
take 'ced5b23^' HubServerService.swift
cp scripts/judge-app.swift "$folder/App.swift"
swiftc -swift-version 5 -parse-as-library -suppress-warnings -o "$folder/judge-app" "$folder"/*.swift
