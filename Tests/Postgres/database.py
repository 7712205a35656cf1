"""Databases with the hub's tables for a test each, and connections to them: psql, because nothing else is installed."""

import itertools
import os
import pathlib
import subprocess
import threading
import time
import unittest

SOURCES = pathlib.Path(__file__).parents[2] / "Sources"
MIGRATIONS = sorted(SOURCES.rglob("Migrations/*.sql"), key=lambda path: path.name)
PATIENCE = 60
numbers = itertools.count(1)


class Failure(Exception):
    """The server's error messages."""


class Connection:
    """One connection, which runs one statement after the other."""

    def __init__(self, database):
        self.process = subprocess.Popen(
            ["psql", "-XAtq", "-v", "VERBOSITY=verbose", "-d", database], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.pid = int(self("SELECT pg_backend_pid()"))

    def start(self, sql):
        """Sends statements without waiting for them."""
        self.process.stdin.write(f"{sql.rstrip().rstrip(';')};\n\\echo --end--\n")
        self.process.stdin.flush()

    def finish(self):
        """The rows of what was started, one a line, columns separated by |."""
        lines = []
        watchdog = threading.Timer(PATIENCE, self.process.kill)
        watchdog.start()
        try:
            for line in self.process.stdout:
                if line == "--end--\n":
                    break
                lines.append(line.rstrip("\n"))
            else:
                raise Failure("psql ended: " + "\n".join(lines))
        finally:
            watchdog.cancel()
        if any(line.startswith("ERROR:") for line in lines):
            raise Failure("\n".join(lines))
        return "\n".join(lines)

    def __call__(self, sql):
        self.start(sql)
        return self.finish()

    def rows(self, sql):
        return [line.split("|") for line in self(sql).splitlines()]

    def kill(self):
        """Ends as a crash does."""
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class DatabaseTestCase(unittest.TestCase):
    def setUp(self):
        self.name = f"test_{os.getpid()}_{next(numbers)}"
        subprocess.run(["createdb", self.name], check=True)
        for path in MIGRATIONS:
            subprocess.run(["psql", "-Xq1", "-v", "ON_ERROR_STOP=1", "-d", self.name, "-f", path], check=True)
        self.connections = []
        self.sql = self.connect()

    def tearDown(self):
        for connection in self.connections:
            connection.kill()
        subprocess.run(["dropdb", "--force", self.name], check=True)

    def connect(self):
        connection = Connection(self.name)
        self.connections.append(connection)
        return connection

    def wait_until(self, query):
        """Waits until a query returns true."""
        deadline = time.monotonic() + PATIENCE
        while self.sql(query) != "t":
            self.assertLess(time.monotonic(), deadline, query)
            time.sleep(0.01)

    def wait_until_blocked(self, connection):
        """Waits until a connection waits for another one's lock."""
        self.wait_until(f"SELECT cardinality(pg_blocking_pids({connection.pid})) > 0")

    def at_once(self, *bodies):
        """Runs functions in threads, each with a connection of its own; throws what one of them throws."""
        problems = []

        def run(body, connection):
            try:
                body(connection)
            except BaseException as problem:  # It is raised again below.
                problems.append(problem)

        threads = [threading.Thread(target=run, args=(body, self.connect())) for body in bodies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if problems:
            raise problems[0]
