"""The built program in a temporary folder with a server that replaces YouTube, for the scripts that stress its log."""
import json, os, shutil, subprocess, sys, tempfile, time
from pathlib import Path

root = Path(__file__).resolve().parent.parent
program, server = str(root / ".build/release/metube-rss"), str(root / ".build/release/fixture-server")

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
