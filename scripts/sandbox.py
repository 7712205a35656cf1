"""The built program in a temporary folder with a server that replaces YouTube, for the scripts that stress its log."""
import http.client, json, os, shutil, subprocess, sys, tempfile, time
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
        self.tokens = {}

    def do(self, *words, stdin=b""):
        """Runs the hub's program to its end; returns its output."""
        ended = subprocess.run(
            [hub_program, *words, "--data", str(self.data)], input=stdin, capture_output=True,
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
            [hub_program, "serve", "--data", str(self.data), "--listen", "127.0.0.1:0", *words],
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
