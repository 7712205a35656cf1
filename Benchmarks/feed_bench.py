"""A hub of invented channels, videos and users on a PostgreSQL server of its own, for postgres-feeds.py: loading it in bulk,
and comparing what was loaded with what the hub makes of the same logs.
"""
import difflib, os, shutil, subprocess, sys, threading, time
from pathlib import Path

root = Path(__file__).resolve().parent.parent
BIN = Path(os.environ.get("BIN", root / ".build/release"))
SQL = root / "Benchmarks/postgres/feeds"
# Free space of the disk that is left alone, bytes.
RESERVE = 12 << 30


def fail(words):
    sys.exit(f"postgres-feeds: {words}")


class Server:
    """The server that with-postgres.sh started, whose options change between loading and measuring."""

    def __init__(self):
        self.data = Path(os.environ["POSTGRES_DATA"])
        self.environment = dict(os.environ, PGOPTIONS="-c search_path=metube")
        self.address = f"host={os.environ['PGHOST']} port={os.environ['PGPORT']} user={os.environ['PGUSER']} dbname=postgres"

    def psql(self, *words, stdin=subprocess.DEVNULL, **variables):
        """Runs commands or files; returns the output."""
        given = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
        ended = subprocess.run(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", *given, *map(str, words)], stdin=stdin, capture_output=True, text=True,
            env=self.environment, check=False)
        if ended.returncode:
            fail(f"psql {' '.join(map(str, words))}: {ended.stderr.strip()[:2000]}")
        return ended.stdout.strip()

    def sql(self, statement):
        return self.psql("-c", statement)

    def restart(self, **options):
        """Restarts with other options; empties the page cache too if that is permitted."""
        control = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        control += [shutil.which("pg_ctl"), "-s", "-w", "-t", "600", "-D", str(self.data)]
        given = " ".join(f"-c {name}={value}" for name, value in options.items())
        sockets = os.environ["PGHOST"]
        subprocess.run(control + ["stop", "-m", "fast"], check=True, cwd="/")
        start = ["start", "-l", os.environ["POSTGRES_LOG"], "-o", f"-c listen_addresses= -c unix_socket_directories={sockets} {given}"]
        subprocess.run(control + start, check=True, cwd="/")

    def schema(self):
        """The lines that pg_dump writes of the tables, without the keys of a dump's own."""
        dump = subprocess.run(
            ["pg_dump", "-s", "-n", "metube"], capture_output=True, text=True, check=True, env=self.environment).stdout
        return [line for line in dump.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]

    def free(self):
        return shutil.disk_usage(self.data).free


class Sizes:
    def __init__(self):
        self.channels = int(os.environ.get("CHANNELS", 100_000))
        self.weeks = int(os.environ.get("VIDEOS", 15))
        self.users = int(os.environ.get("USERS", 1000))


class Loader:
    """Fills the tables; indexes are made afterwards, as the migrations make them."""

    def __init__(self, server, sizes):
        self.server, self.sizes = server, sizes
        self.failures = []

    def load(self):
        server, began = self.server, time.monotonic()
        server.restart(
            maintenance_work_mem="1GB", max_wal_size="4GB", checkpoint_timeout="30min", wal_level="minimal", max_wal_senders=0,
            autovacuum="off", shared_buffers=os.environ.get("SHARED_BUFFERS", "4GB"))
        subprocess.run([BIN / "metube-hub", "migrate", "--database", server.address], check=True, stdout=subprocess.DEVNULL)
        before = server.schema()
        server.psql("-f", SQL / "begin.sql")
        lanes = [threading.Thread(target=self.lane, args=(work,)) for work in (self.logs, self.models)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        if self.failures:
            fail(self.failures[0])
        self.step("accounts", lambda: server.psql("-1", "-f", SQL / "accounts.sql", users=self.sizes.users))
        server.psql("-f", SQL / "end.sql")
        self.step("vacuum", lambda: subprocess.run(
            ["vacuumdb", "-q", "-z", "-j", "2", "-d", "postgres"], check=True, env=server.environment))
        differing = [line for line in difflib.unified_diff(before, server.schema(), n=0, lineterm="")]
        if differing:
            fail("the tables are not as the migrations made them:\n" + "\n".join(differing[:20]))
        print(f"loaded in {time.monotonic() - began:.0f} s; the schema is the migrations'", flush=True)

    def lane(self, work):
        try:
            work()
        except (Exception, SystemExit) as error:
            self.failures.append(str(error))

    def step(self, name, body):
        began = time.monotonic()
        if self.failures:
            fail("stopped")
        body()
        free = self.server.free()
        print(f"{name}: {time.monotonic() - began:.0f} s, {free >> 30} GB free", file=sys.stderr, flush=True)
        if free < RESERVE:
            fail("too little room on the disk")

    def copy(self, rows, table, columns="", *more):
        """Fills a table in one transaction that also empties it, so that nothing is logged."""
        def body():
            sizes = [str(self.sizes.channels), str(self.sizes.weeks), str(self.sizes.users)]
            maker = subprocess.Popen([BIN / "bench-log", "rows", rows, *sizes], stdout=subprocess.PIPE)
            self.server.psql(
                "-1", "-c", f"TRUNCATE {table}", "-c", f"COPY {table}{columns} FROM STDIN (FORMAT binary, FREEZE)", *more,
                stdin=maker.stdout, channels=self.sizes.channels)
            maker.stdout.close()
            if maker.wait():
                fail(f"bench-log rows {rows} failed")
        self.step(f"rows of {table}", body)

    def index(self, *tables):
        for table in tables:
            self.step(f"indexes of {table}", lambda: self.server.psql("-f", SQL / "indexes.sql", table=table))

    def run(self, name):
        self.step(name, lambda: self.server.psql("-f", SQL / name))

    def logs(self):
        self.copy("log-lines", "log_line")
        self.index("log_line")
        self.copy("words", "all_words", "(fingerprint, words, owner)")
        self.index("all_words")
        self.copy("subjects", "catalogue_subject")
        self.index("catalogue_subject")

    def models(self):
        self.copy("channels", "bench_channel")
        self.copy("follows", "bench_follow")
        self.copy("marks", "bench_mark")
        self.server.sql("ANALYZE bench_channel, bench_follow, bench_mark")
        self.run("channels.sql")
        self.index("all_channel", "all_subscription", "wanted")
        self.run("events.sql")
        self.index("all_event")
        self.copy(
            "videos", "all_video",
            "(n, id, found, channel, published, title, link, text, text_file, text_offset, text_length, feeds, file, line, owner)",
            "-f", SQL / "videos.sql")
        self.index("all_video")
        self.run("lists.sql")
        self.index("all_title", "all_listing", "all_tally", "all_decision")
        self.run("numbers.sql")
