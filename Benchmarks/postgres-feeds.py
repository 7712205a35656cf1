#!/usr/bin/env python3
"""Measures feed queries of a hub on a PostgreSQL server of its own, each beside the same SQL run by pgbench.

  scripts/with-postgres.sh Benchmarks/postgres-feeds.py [load|check|measure|cold|first|size …]

CHANNELS (100,000), VIDEOS of each (15), USERS (1,000) who follow 100 each, SECONDS_EACH (10), CONNECTIONS (1 8 32),
SHARED_BUFFERS (4GB) and ONLY (words of what is measured) may be given. Without a word it does all in this order. Needs `make hub tools`, wrk, and 3 KB of disk for
each video of the catalogue and 1.5 KB for each of the users'; POSTGRES_FOLDER says where. It stops with 12 GB left.
"""
import os, sys

from feed_bench import Loader, Server, Sizes
from feed_check import Check
from feed_measure import Measurement

STEPS = ("load", "check", "measure", "cold", "first", "size")


def main():
    server, sizes = Server(), Sizes()
    words = sys.argv[1:] or STEPS
    measurement = Measurement(server, sizes)
    for word in words:
        if word == "load":
            Loader(server, sizes).load()
        elif word == "check":
            Check(server, sizes).run()
        elif word in STEPS:
            getattr(measurement, word)()
        else:
            sys.exit(f"postgres-feeds: {word}? It takes {' '.join(STEPS)}")


main()
