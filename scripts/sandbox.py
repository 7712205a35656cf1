"""The built program in a temporary folder with a server that replaces YouTube, for the scripts that stress its log."""
import http.client, json, os, random, shutil, subprocess, sys, tempfile, time
from pathlib import Path

root = Path(__file__).resolve().parent.parent
build = root / ".build" / os.environ.get("BUILD", "release")
program, server, hub_program = (str(build / name) for name in ("metube-rss", "fixture-server", "metube-hub"))

# Without a rate limit.
POLL = ("poll", "--rate", "0", "--jobs", "8", "--force")


class Broken(Exception):
    """A violated expectation."""


def channel(number):
    """The ID of a channel that the server does not have."""
    return f"UC{number:021d}A"


def lines(home):
    """The intact lines of a home's logs, as dictionaries."""
    for log in sorted((home / "log").glob("*.jsonl")):
        for line in log.read_bytes().split(b"\n"):
            try:
                yield json.loads(line)
            except ValueError:
                pass


class Sandbox:
    """A temporary folder, the server and the program; removed at the end of `with`, except after a failure."""

    def __init__(self, channels, memory=False):
        # A file system in memory avoids waiting for a disk.
        place = "/dev/shm" if memory and os.access("/dev/shm", os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="metube-rss-", dir=place))
        port = self.folder / "port"
        self.server = subprocess.Popen(
            [server, "--generate", str(channels), "--port-file", port, "--exit-after", "14400"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not port.exists() or not port.read_text():
            if self.server.poll() is not None:
                raise Broken("the server did not start")
            time.sleep(0.02)
        self.url = "http://127.0.0.1:" + port.read_text().strip()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("METUBE_RSS_")}
        self.environment = kept | {
            "METUBE_RSS_FEEDS_URL": self.url, "no_proxy": "127.0.0.1", "SWIFT_BACKTRACE": "enable=no", "TZ": "UTC"}

    def __enter__(self):
        return self

    def __exit__(self, kind, broken, trace):
        self.server.kill()
        self.server.wait()
        if isinstance(broken, Broken):
            sys.exit(f"{Path(sys.argv[0]).stem}: {broken}; see {self.folder}")
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, home, *words, **options):
        """Starts the program in the background."""
        return subprocess.Popen(
            [program, *words, "--home", str(home)], stdin=subprocess.DEVNULL, env=self.environment, **options)

    def run(self, home, *words, stdin=b"", **variables):
        """Runs the program and waits for it."""
        return subprocess.run(
            [program, *words, "--home", str(home)], input=stdin, capture_output=True,
            env=self.environment | variables, timeout=120)

    def do(self, home, *words, stdin=b"", statuses=(0,), **variables):
        """Runs the program, which must exit with one of the statuses; returns its output."""
        ended = self.run(home, *words, stdin=stdin, **variables)
        if ended.returncode not in statuses:
            raise Broken(f"{' '.join(words)} exited with {ended.returncode}: {ended.stderr.decode(errors='replace')}")
        return ended.stdout.decode()

    def generation(self, number):
        """Makes the server's channels publish new videos."""
        subprocess.run(["curl", "-sS", "--fail", f"{self.url}/__generation?n={number}"], check=True, capture_output=True)

    def ids(self, count):
        """The IDs of the server's first channels, one per line."""
        return subprocess.run([server, "--list-ids", str(count)], capture_output=True, check=True).stdout

    def shim(self):
        """Builds the fault-injecting library fault-shim.c; returns its path."""
        library = self.folder / "fault-shim.so"
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-o", library, root / "scripts/fault-shim.c", "-ldl"], check=True)
        return str(library)


class Hub:
    """A hub of a sandbox on a data folder, and its users."""

    def __init__(self, sandbox, data):
        self.sandbox, self.data, self.process, self.port = sandbox, data, None, 0
        self.where, self.tokens = ("--data", str(data)), {}

    def lines(self, owner):
        """The events of a user, or of the `catalogue`, as dictionaries."""
        return lines(self.data / (owner if owner == "catalogue" else f"users/{owner}"))

    def poll(self):
        """Polls what all users follow, however long ago that was done, as fast as the server answers."""
        self.sandbox.do(self.data / "catalogue", *POLL, statuses=(0, 1, 75))

    def take_follows(self, user, count):
        """Waits until the catalogue follows so many channels; a poll that a user wants takes new ones."""
        self.ask(user, "POST", "/api/v1/poll")
        while sum(event.get("kind") == "channelFollowed" for event in self.lines("catalogue")) < count:
            time.sleep(0.05)

    def crash(self):
        """Lets what the hub needs crash, now and then; returns whether it did."""
        return False

    def verify(self):
        """All logs must be undamaged."""
        for home in (self.data / "catalogue", *(self.data / "users" / user for user in self.tokens)):
            self.sandbox.do(home, "log", "verify")

    def do(self, *words, stdin=b""):
        """Runs the hub's program to its end; returns its output."""
        ended = subprocess.run(
            [hub_program, *words, *self.where], input=stdin, capture_output=True,
            env=self.sandbox.environment, timeout=120)
        if ended.returncode:
            raise Broken(f"metube-hub {' '.join(words)} exited with {ended.returncode}: {ended.stderr.decode()}")
        return ended.stdout.decode()

    def add(self, user, *words):
        """Adds a user with a token."""
        self.do("user", "add", user, *words, stdin=b"a long password\n")
        self.renew(user)

    def renew(self, user):
        """Makes a new token for a user's requests, of which each has a limit; returns it."""
        self.tokens[user] = self.do("token", "add", user, "script", "--scope", "write").strip()
        return self.tokens[user]

    def start(self, *words):
        """Starts the hub and waits until it listens."""
        self.process = subprocess.Popen(
            [hub_program, "serve", *self.where, "--listen", "127.0.0.1:0", *words],
            stdout=subprocess.PIPE, stderr=open(self.sandbox.folder / "hub.errors", "ab"), env=self.sandbox.environment)
        line = self.process.stdout.readline().decode()
        if not line.endswith("/\n"):
            raise Broken(f"the hub did not start; see hub.errors in {self.sandbox.folder}")
        self.port = int(line.rsplit(":", 1)[1].strip("/\n"))

    def end(self, kill=False):
        self.process.kill() if kill else self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, user, method, path, body=None, connection=None, token=None):
        """Sends a request of a user; returns the status and the JSON of the answer."""
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Authorization": "Bearer " + (token or self.tokens[user])}
        if isinstance(body, dict):
            headers["Content-Type"] = "application/json"
        connection.request(method, path, json.dumps(body) if isinstance(body, dict) else body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")

    def health(self):
        """The status of the health check."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET", "/health")
        return connection.getresponse().status

    def get(self, user, path):
        """The answer to a request that must succeed."""
        status, answer = self.ask(user, "GET", path)
        if status != 200:
            raise Broken(f"{path}: {status} {answer}")
        return answer

    def videos(self, user):
        """Every video of a user, newest first."""
        videos, after = [], ""
        while True:
            page = self.get(user, f"/api/v1/videos?all=true&shorts=show&upcoming=show&limit=500{after}")
            videos += page["videos"]
            if not page["next"]:
                return videos
            after = "&after=" + page["next"]


class DatabaseHub(Hub):
    """A hub on the PostgreSQL server of the environment (see with-postgres.sh), and a poller."""

    def __init__(self, sandbox):
        super().__init__(sandbox, sandbox.folder)
        self.where = ("--database", f"postgresql:///{os.environ['PGDATABASE']}?application_name=sweep")
        self.do("migrate")

    def query(self, sql):
        """The rows of a statement, one text each."""
        ended = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql],
            env=os.environ | {"PGOPTIONS": "-c search_path=metube"}, capture_output=True, text=True, timeout=120)
        if ended.returncode:
            raise Broken(f"psql: {ended.stderr}")
        return ended.stdout.splitlines()

    def lines(self, owner):
        who = "owner.n = 0" if owner == "catalogue" else f"owner.name = '{owner}'"
        rows = self.query(
            "SELECT convert_from(bytes, 'UTF8') FROM log_line JOIN owner ON owner.n = log_line.owner"
            f" WHERE {who} ORDER BY log_line.number")
        return [json.loads(row) for row in rows if row]

    def poll(self):
        self.query(
            "UPDATE poll_channel SET due = 0, requested = NULL, rests_until = NULL, lease_until = NULL, poller = NULL"
            " WHERE due IS NOT NULL")
        self.query("DELETE FROM poll_pause")
        self.do("poll", "--once", "--rate", "0", "--jobs", "8")

    def take_follows(self, user, count):
        pass  # Nobody but the tables has to take them.

    def verify(self):
        if any(self.query("SELECT name FROM log WHERE damaged")):
            raise Broken("a log is damaged")
        if doubled := self.query("SELECT owner, id FROM log_line GROUP BY owner, id HAVING id IS NOT NULL AND count(*) > 1"):
            raise Broken(f"an event is there twice: {doubled[0]}")

    def end(self, kill=False):
        super().end(kill)
        # What a killed hub sent last is still carried out.
        while self.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'sweep' LIMIT 1"):
            time.sleep(0.02)

    def crash(self):
        """Stops the server as a power cut would, and starts it again."""
        if random.random() < 0.6:
            return False
        for words in (("stop", "-m", "immediate"), ("start", "-l", os.environ["POSTGRES_LOG"], "-o", self.options)):
            subprocess.run(
                [*(("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()), shutil.which("pg_ctl"), *words, "-s",
                 "-w", "-D", os.environ["POSTGRES_DATA"]], cwd="/", stdin=subprocess.DEVNULL, check=True)
        return True

    @property
    def options(self):
        """The options that the server was started with, which it keeps in its folder."""
        text = (Path(os.environ["POSTGRES_DATA"]) / "postmaster.opts").read_text()
        return text.split(" ", 1)[1].replace('"', "").strip()
