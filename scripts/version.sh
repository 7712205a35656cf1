#!/bin/sh
# Prints the version of the sources.
cat "$(dirname "$0")/../VERSION"
