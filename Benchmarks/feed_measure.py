"""Requests to the hub beside the same SQL run by pgbench, in turns so that both meet the same machine."""
import os, re, statistics, subprocess, tempfile
from pathlib import Path

from feed_bench import SQL, fail
from feed_hub import PORT, Hub

OPTIONS = {
    "shared_buffers": os.environ.get("SHARED_BUFFERS", "4GB"), "effective_cache_size": "12GB", "max_wal_size": "4GB", "checkpoint_timeout": "30min",
    "wal_compression": "on", "shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track_utility": "off"}
# As the hub's sessions; and its cursors are never read by several processes at once.
SESSION = "-c search_path=metube -c jit=off -c enable_seqscan=off -c max_parallel_workers_per_gather=0"
TABLES = (
    "log_line", "catalogue_subject", "all_words", "all_video", "all_listing", "all_title", "all_channel", "all_subscription",
    "wanted", "all_tally", "all_decision", "all_event", "number", "poll_channel", "token", "owner", "log")


def word(rank):
    """The word with a rank; see `Vocabulary`."""
    rest, letters = rank * 26_731 % 64_000, ""
    for _ in range(3):
        letters += "bdklmnrs"[rest % 8] + "aeiou"[rest // 8 % 5]
        rest //= 40
    return letters


COMMON, RARE = word(20), word(30_000)
PAGE = "/api/v1/videos?limit=50"
# What is requested, the statements for it, and the beginning of one that runs once for each answer that no cache has.
READS = (
    ("the page of 50 new videos", PAGE, ("query-page",), {}, "SELECT channel, class, count FROM tally"),
    ("a reader's 50 entries (Miniflux)", "/v1/entries?status=unread&limit=50&order=published_at&direction=desc",
     ("query-page", "query-entries"), {}, "SELECT channel, class, count FROM tally"),
    ("videos with a common word", f"{PAGE}&search={COMMON}", ("query-search",), {"word": COMMON}, "SELECT c.n, c.id, c.name, nullif"),
    ("videos with a rare word", f"{PAGE}&search={RARE}", ("query-search",), {"word": RARE}, "SELECT c.n, c.id, c.name, nullif"),
    ("channels with counts", "/api/v1/channels", ("query-channels",), {}, "SELECT channel, class, count FROM tally"),
)
MARK = ("a note on a video", "/api/v1/marks", ("query-mark",), {}, "SELECT append_lines")


def load():
    return f"{os.getloadavg()[0]:.1f}"


def spread(times):
    times = sorted(times)
    return f"median {statistics.median(times) * 1000:.1f} ms, 99 % {times[int(len(times) * 0.99)] * 1000:.1f} ms"


class Measurement:
    def __init__(self, server, sizes):
        self.server, self.sizes = server, sizes
        self.seconds = int(os.environ.get("SECONDS_EACH", 10))
        self.connections = [int(word) for word in os.environ.get("CONNECTIONS", "1 8 32").split()]
        self.folder = Path(tempfile.mkdtemp())

    # MARK: In turns

    def measure(self):
        self.prepare()
        print("| what | connections | hub: requests a second, median, 99 % | made anew | pgbench | ratio | load |")
        print("|---|---|---|---|---|---|---|")
        with Hub(self.server):
            for read in (read for read in READS if os.environ.get("ONLY", "") in read[0]):
                for connections in self.connections:
                    self.both(connections, *read)
            if os.environ.get("ONLY", "") in MARK[0]:
                marks = self.marks()
                for connections in self.connections:
                    self.both(connections, *MARK, marks)

    def prepare(self):
        self.server.restart(**OPTIONS)
        # Else the first request of each hour would write.
        self.server.sql("UPDATE token SET used = unix_time()")
        self.server.sql("CREATE SEQUENCE IF NOT EXISTS bench_id")
        self.server.sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public")
        self.server.sql("CHECKPOINT")

    def both(self, connections, name, path, files, values, once, marks=None):
        """A line of the table: two turns of each."""
        hub, bench = [], []
        for _ in range(2):
            hub.append(self.wrk(connections, path, once, marks))
            bench.append(self.pgbench(connections, files, values))
        rate, other = statistics.mean(turn["rate"] for turn in hub), statistics.mean(bench)
        median, last = (statistics.mean(turn[of] for turn in hub) for of in ("median", "last"))
        anew = sum(turn["anew"] for turn in hub) / sum(turn["requests"] for turn in hub)
        print(
            f"| {name} | {connections} | {rate:.0f}, {median:.1f} ms, {last:.1f} ms | {min(anew, 1):.0%} | "
            f"{other:.0f}, {connections * 1000 / other:.1f} ms | {rate / other:.2f} | {load()} |", flush=True)

    def wrk(self, connections, path, once, marks):
        calls = f"SELECT coalesce(sum(calls), 0) FROM public.pg_stat_statements WHERE query LIKE '{once}%'"
        before = int(self.server.sql(calls))
        ended = subprocess.run(
            ["wrk", "-t", "1", "-c", str(connections), "-d", f"{self.seconds}s", "--timeout", "30s", "-s",
             SQL / "requests.lua", f"http://127.0.0.1:{PORT}", "--", str(self.sizes.users), path, *([marks] if marks else [])],
            capture_output=True, text=True, check=False)
        found = re.search(r"RESULT (\d+) (\d+) (\S+) (\S+) (\d+)", ended.stdout)
        if not found or int(found[5]):
            fail(f"wrk {path}: {ended.stdout} {ended.stderr}")
        return {
            "requests": int(found[1]), "rate": int(found[1]) / int(found[2]) * 1e6, "median": float(found[3]),
            "last": float(found[4]), "anew": int(self.server.sql(calls)) - before}

    def pgbench(self, connections, files, values):
        script = self.folder / "script.sql"
        script.write_text("".join((SQL / f"{name}.sql").read_text() for name in ("query-open", *files)))
        given = [word for name, value in values.items() for word in ("-D", f"{name}={value}")]
        # Marks of pgbench are no events, so that they go to users of their own.
        marks = "query-mark" in files
        ended = subprocess.run(
            ["pgbench", "-n", "-M", "prepared", "-c", str(connections), "-j", "2" if connections > 1 else "1", "-T",
             str(self.seconds), "-D", f"users={self.sizes.users}", "-D", f"first={self.sizes.users // 2 + 1 if marks else 1}",
             *given, "-f", script],
            capture_output=True, text=True, check=False,
            env=dict(self.server.environment, PGOPTIONS=SESSION))
        found = re.search(r"tps = (\S+)", ended.stdout)
        if ended.returncode or not found or not re.search(r"failed transactions: 0 ", ended.stdout):
            fail(f"pgbench {files}: {ended.stdout[-500:]} {ended.stderr[-1500:]}")
        return float(found[1])

    def marks(self):
        """A file with videos of the first half of the users."""
        path = self.folder / "marks"
        path.write_text(self.server.sql(
            "SELECT owner || ' ' || key FROM ("
            f"SELECT 1 + floor(random() * {self.sizes.users // 2})::int AS owner, 28000001 + floor(random() * 1500)::int AS n "
            "FROM generate_series(1, 20000)) AS chosen JOIN number USING (owner, n)") + "\n")
        return str(path)

    # MARK: Cold and first

    def cold(self):
        """The first pages of users after the start of the server and with nothing in the memory."""
        self.server.restart(**OPTIONS)
        dropped = self.drop_caches()
        users = range(1, self.sizes.users + 1, max(1, self.sizes.users // 200))[:200]
        with Hub(self.server) as hub:
            times = [hub.get(user, PAGE)[1] for user in users]
            again = [hub.get(user, PAGE)[1] for user in users]
        print(f"first pages of {len(users)} users after a restart, {'page cache emptied' if dropped else 'page cache kept'}: "
              f"{spread(times)}; again: {spread(again)}; load {load()}", flush=True)

    def drop_caches(self):
        subprocess.run(["sync"], check=True)
        try:
            Path("/proc/sys/vm/drop_caches").write_text("3\n")
            return True
        except OSError:
            return False

    def first(self):
        """New users follow 100 channels and look."""
        times, follows = [], []
        with Hub(self.server) as hub:
            # Behind those of an earlier call.
            known = int(self.server.sql('SELECT count(*) FROM "user"'))
            for number in range(20):
                user = 9_000_001 + known + number
                self.server.sql(
                    f"INSERT INTO \"user\" VALUES ('user{user}', '*', 0); INSERT INTO owner(name, device) VALUES ('user{user}', 'u{user}'); "
                    f"INSERT INTO token(\"user\", name, digest, scope, created, used) VALUES ('user{user}', 'bench', "
                    f"sha256('mth_user{user}'), 'write', 0, unix_time())")
                chosen = self.server.sql(
                    f"SELECT id FROM all_channel WHERE owner = 0 AND n IN (SELECT 1 + (random() * {self.sizes.channels - 1})::bigint "
                    "FROM generate_series(1, 100))").split()
                follows.append(hub.get(user, "/api/v1/channels", {"channels": chosen})[1])
                page, took = hub.get(user, PAGE)
                if page["matching"] < len(chosen):
                    fail(f"user{user} lacks videos")
                times.append(follows[-1] + took)
        print(f"20 new users: following 100 channels {spread(follows)}; until the first page {spread(times)}; load {load()}",
              flush=True)

    # MARK: Sizes

    def size(self):
        print("| table | rows | bytes a row | of them indexes |")
        print("|---|---|---|---|")
        for table in TABLES:
            print(self.server.sql(
                f"SELECT format('| {table} | %s | %s | %s |', count, pg_total_relation_size('{table}') / greatest(count, 1), "
                f"pg_indexes_size('{table}') / greatest(count, 1)) FROM (SELECT count(*) FROM {table}) AS rows"))
        print(self.server.sql("SELECT pg_size_pretty(pg_database_size(current_database()))"), flush=True)
