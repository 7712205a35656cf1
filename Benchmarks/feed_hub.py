"""A web process of a hub on the benchmark's database."""
import json, os, subprocess, tempfile, time, urllib.error, urllib.request

from feed_bench import BIN, fail

PORT = 15071


class Hub:
    """`metube-hub serve` without polls, for the time of a `with`."""

    def __init__(self, server):
        self.folder = tempfile.mkdtemp()
        # Should anything be polled, nobody is at this address.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("METUBE_")} | {
            "HOME": self.folder, "METUBE_HUB_DATABASE": server.address, "METUBE_RSS_FEEDS_URL": "http://127.0.0.1:9"}
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(
            [BIN / "metube-hub", "serve", "--no-poll", "--listen", f"127.0.0.1:{PORT}"], env=self.environment,
            stdout=subprocess.DEVNULL, stderr=open(f"{self.folder}/log", "w"))
        end = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5).read()
                return self
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    fail(f"the hub does not start; see {self.folder}/log")
                time.sleep(0.05)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def do(self, *words, text=""):
        return subprocess.run(
            [BIN / "metube-hub", *words], env=self.environment, input=text, capture_output=True, text=True, check=True).stdout

    def get(self, user, path, body=None):
        """The JSON answer to a request of a user's, and the seconds that it took."""
        call = urllib.request.Request(
            f"http://127.0.0.1:{PORT}{path}", data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer mth_user{user}", "Content-Type": "application/json"})
        began = time.monotonic()
        try:
            with urllib.request.urlopen(call, timeout=120) as answer:
                page = answer.read()
        except urllib.error.HTTPError as error:
            fail(f"{path} of user{user}: {error.code} {error.read()[:500]}")
        return json.loads(page), time.monotonic() - began
