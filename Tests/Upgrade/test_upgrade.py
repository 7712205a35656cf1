"""Homes, hubs and databases of earlier versions, opened by the present programs: nothing may be lost or change by itself.

`make upgrade-test` runs this. METUBE_RSS_PROGRAMS is the folder of the programs (.build/release). Those of PostgreSQL need
a server, as scripts/with-postgres.sh starts it.
"""
import glob
import hashlib
import io
import json
import lzma
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import time
import unittest

from upgrades import FIXTURES, PASSWORDS, ROOT, Hub, Programs, lost, without_passing

PROGRAMS = os.environ.get("METUBE_RSS_PROGRAMS", os.path.join(ROOT, ".build", "release"))
# A session ends after 30 days, long before a fixture does; so it is given more time. Tokens last.
MORE_TIME = "UPDATE {}session SET ends = " + str(int(time.time()) + 86_400)


def fixtures(name):
    """The versions that have a fixture of that name."""
    return sorted(path.split(os.sep)[-2] for path in glob.glob(os.path.join(FIXTURES, "*", name)))


def read(version, name):
    with lzma.open(os.path.join(FIXTURES, version, name)) as file:
        return file.read()


def expected(version, name):
    return without_passing(json.loads(read(version, name + ".expected.xz")))


def lines(folder):
    """Every log in a folder, by its path."""
    logs = {}
    for path in glob.glob(os.path.join(folder, "**", "*.jsonl"), recursive=True):
        with open(path, "rb") as file:
            logs[os.path.relpath(path, folder)] = file.read()
    return logs


def tables(path):
    """The rows of a SQLite database, without the times of last uses."""
    with sqlite3.connect(path) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        rows = {}
        for name in names:
            columns = [row[1] for row in database.execute(f'PRAGMA table_info("{name}")') if row[1] not in ("used", "last_login")]
            chosen = ", ".join(f'"{column}"' for column in columns)
            rows[name] = sorted(database.execute(f'SELECT {chosen} FROM "{name}"').fetchall(), key=repr)
        return rows


class UpgradeTestCase(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="upgrade-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def unpack(self, version, name):
        folder = os.path.join(self.folder, version, name)
        os.makedirs(folder)
        with tarfile.open(fileobj=io.BytesIO(read(version, name + ".tar.xz"))) as archive:
            archive.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(folder)
        os.chmod(folder, 0o700)
        return folder

    def assert_kept(self, before, now):
        self.assertEqual(list(lost(before, now)), [])

    def check_hub(self, programs, options, before):
        """All that users have, with old tokens, old sessions and old passwords, at one start of a hub."""
        with Hub(programs, *options) as hub:
            for user in PASSWORDS:
                self.assert_kept(before["contents"][user], hub.contents(user, before["tokens"][user]))
                for cookie in (before["cookies"][user], hub.log_in(user)):
                    sessions = hub.json("GET", "/api/v1/sessions", Cookie=cookie)["sessions"]
                    self.assertTrue(any(session["current"] for session in sessions), user)
                    hub.send("DELETE", "/api/v1/session", Cookie=cookie) if cookie != before["cookies"][user] else None
        self.assertEqual(hub.status, 0)
        with open(hub.errors, encoding="utf-8") as errors:
            self.assertEqual(errors.read(), "")
        self.assertEqual(programs.users(*options), before["users"])


class HomeTests(UpgradeTestCase):
    def test_homes(self):
        """A home keeps every video, mark, rule and collection, and reading it changes no line."""
        versions = fixtures("home.tar.xz")
        self.assertEqual(versions, ["0.1.0", "08a2c12"])
        for version in versions:
            with self.subTest(version):
                home = self.unpack(version, "home")
                programs, logs = Programs(PROGRAMS, home), lines(home)
                self.assertTrue(logs)
                for _ in range(2):
                    self.assert_kept(expected(version, "home"), programs.home_contents())
                    programs.run("metube-rss", "log", "verify")
                    self.assertEqual(lines(home), logs)

    def test_writing(self):
        """A mark made now goes to the end of the log; earlier lines stay, and undo brings the earlier state back."""
        for version in fixtures("home.tar.xz"):
            with self.subTest(version):
                home = self.unpack(version, "home")
                programs, logs = Programs(PROGRAMS, home), lines(home)
                video = expected(version, "home")["listed"][-1]
                programs.run("metube-rss", "watched", video)
                programs.run("metube-rss", "undo", "--yes")
                self.assert_kept(expected(version, "home"), programs.home_contents())
                now = lines(home)
                for name, old in logs.items():
                    self.assertTrue(now[name].startswith(old), name)
                programs.run("metube-rss", "log", "verify")

    def test_home_with_hub(self):
        """A hub without users serves such a home as it is."""
        for version in fixtures("home.tar.xz"):
            with self.subTest(version):
                home = self.unpack(version, "home")
                programs, logs = Programs(PROGRAMS, home), lines(home)
                with Hub(programs) as hub:
                    page = hub.json("GET", "/api/v1/videos?all=true&shorts=show&upcoming=show&noRules=true&limit=500")
                before = {video["video"]: video for video in expected(version, "home")["videos"]}
                now = {video["video"]: video for video in page["videos"]}
                self.assertEqual(now.keys(), before.keys())
                self.assertEqual({name: video["status"] for name, video in now.items()},
                                 {name: video["status"] for name, video in before.items()})
                self.assertEqual(lines(home), logs)


class DataTests(UpgradeTestCase):
    def test_data_folders(self):
        """A data folder keeps users, logins, tokens, marks and the numbers of readers; a second start changes nothing."""
        versions = fixtures("data.tar.xz")
        self.assertEqual(versions, ["08a2c12"])
        for version in versions:
            with self.subTest(version):
                data = self.unpack(version, "data")
                programs, logs = Programs(PROGRAMS, self.folder), lines(data)
                with sqlite3.connect(os.path.join(data, "hub.db")) as database:
                    database.execute(MORE_TIME.format(""))
                self.check_hub(programs, ["--data", data], expected(version, "data"))
                first = self.databases(data)
                self.check_hub(programs, ["--data", data], expected(version, "data"))
                self.assertEqual(self.databases(data), first)
                self.assertEqual(lines(data), logs)

    def databases(self, data):
        paths = glob.glob(os.path.join(data, "**", "*.db"), recursive=True)
        return {os.path.relpath(path, data): tables(path) for path in paths if "/cache/" not in path}


@unittest.skipUnless("PGHOST" in os.environ, "needs a server; see scripts/with-postgres.sh")
class DatabaseTests(UpgradeTestCase):
    def test_databases(self):
        """The tables of a database too; migrate brings them up to date once."""
        versions = fixtures("postgres.sql.xz")
        self.assertEqual(versions, ["08a2c12"])
        for version in versions:
            with self.subTest(version):
                name = "upgrade_" + hashlib.sha256(version.encode()).hexdigest()[:8]
                self.psql("postgres", f"CREATE DATABASE {name}".encode())
                self.addCleanup(self.psql, "postgres", f"DROP DATABASE {name} WITH (FORCE)".encode())
                self.psql(name, read(version, "postgres.sql.xz"))
                self.psql(name, MORE_TIME.format("metube.").encode())
                programs, options = Programs(PROGRAMS, self.folder), ["--database", f"dbname={name}"]
                programs.run("metube-hub", "migrate", *options)
                programs.run("metube-hub", "migrate", *options)
                self.check_hub(programs, options, expected(version, "postgres"))
                first = self.rows(name)
                self.check_hub(programs, options, expected(version, "postgres"))
                self.assertEqual(self.rows(name), first)

    def psql(self, database, script):
        subprocess.run(
            ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", database], input=script, check=True, stdout=subprocess.DEVNULL)

    def rows(self, database):
        """The rows of all tables, without the times of last uses."""
        ask = lambda query: subprocess.run(
            ["psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", query], check=True, capture_output=True
        ).stdout.decode().splitlines()
        tables = ask("SELECT tablename FROM pg_tables WHERE schemaname = 'metube' ORDER BY 1")
        return {table: sorted(ask(f"SELECT to_jsonb(t) - 'used' - 'last_login' FROM metube.\"{table}\" t")) for table in tables}


if __name__ == "__main__":
    unittest.main()
