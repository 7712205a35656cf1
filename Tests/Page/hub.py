"""A running hub on a home of its own, fed by the fixture server."""
import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("METUBE_BUILD", ROOT / ".build/release"))
# What an installed program finds is not what is tested.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("METUBE_")} | {"no_proxy": "127.0.0.1"}


def wait_for(what, condition, seconds=60):
    """Waits until a condition gives something true, and returns it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if result := condition():
            return result
        time.sleep(0.02)
    raise AssertionError(f"not in {seconds} s: {what}")


class Feeds:
    """The demo's feeds behind the fixture server, in a folder where tests can add videos."""

    def __init__(self, folder):
        self.folder = folder / "feeds"
        shutil.copytree(ROOT / "Fixtures/feeds/channels", self.folder)
        self.port_file = folder / "port"
        self.process = subprocess.Popen(
            [BUILD / "fixture-server", self.folder, "--api", "--port-file", self.port_file, "--exit-after", "3600"],
            stdout=subprocess.DEVNULL, env=CLEAN)
        wait_for("the fixture server's port", lambda: self.port_file.exists() and self.port_file.read_text())
        self.url = f"http://127.0.0.1:{self.port_file.read_text().strip()}"

    def rename(self, channel, titles):
        """Gives the first videos of a channel other titles, which are in XML; no Shorts, which lists hide."""
        path = self.folder / f"{channel}.xml"
        entries = path.read_text().split("<entry>")
        listed = [number for number, entry in enumerate(entries) if number > 0 and "/shorts/" not in entry]
        assert len(listed) >= len(titles)
        for number, title in zip(listed, titles):
            entries[number] = re.sub(r"<(media:)?title>[^<]*<", lambda found: f"<{found[1] or ''}title>{title}<", entries[number])
        path.write_text("<entry>".join(entries))

    def add(self, channel, video, title):
        """Adds a new video to a channel's feed."""
        path = self.folder / f"{channel}.xml"
        before, first, *rest = path.read_text().split("<entry>")
        old = re.search(r"<yt:videoId>([^<]*)", first)[1]
        new = re.sub(r"<(media:)?title>[^<]*<", lambda found: f"<{found[1] or ''}title>{title}<", first.replace(old, video))
        new = re.sub(r"/shorts/", "/watch?v=", new)
        now = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() - 60))
        new = re.sub(r"<(published|updated)>[^<]*<", rf"<\1>{now}<", new)
        new = new.replace('views="0"', 'views="12"')
        part = path.with_suffix(".part")
        part.write_text("<entry>".join([before, new, first, *rest]))
        part.rename(path)

    def remove(self, channel, video):
        """Takes a video back that `add` added."""
        path = self.folder / f"{channel}.xml"
        parts = [part for part in path.read_text().split("<entry>") if f"<yt:videoId>{video}<" not in part]
        path.write_text("<entry>".join(parts))

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Hub:
    """A hub, and the requests of a program that uses its API."""

    def __init__(self, home, feeds, embed, thumbnails, port=0):
        self.home = home
        self.arguments = [BUILD / "metube-hub", "serve", "--no-poll", "--embed-origin", embed, "--thumbnail-origin", thumbnails]
        self.environment = CLEAN | {"METUBE_RSS_HOME": str(home), "METUBE_RSS_FEEDS_URL": feeds.url, "METUBE_RSS_RATE": "0"}
        self.port = port
        self.start()

    def start(self):
        output = self.home / "hub-output"
        with open(output, "w") as file:
            self.process = subprocess.Popen(
                self.arguments + ["--listen", f"127.0.0.1:{self.port}"], stdout=file, stderr=subprocess.STDOUT, env=self.environment)

        def address():
            if self.process.poll() is not None:
                raise AssertionError(f"the hub ended: {output.read_text()}")
            return re.search(r"http://[^ \n]*:(\d+)/", output.read_text())

        found = wait_for("the hub's address", address)
        self.url, self.port = found[0].rstrip("/"), int(found[1])

    def use_key(self, feeds):
        """Starts anew with a key of the Data API, which the fixture server serves."""
        self.stop()
        self.environment |= {"METUBE_RSS_API_KEY": "fixture-key", "METUBE_RSS_API_URL": feeds.url}
        self.start()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def get(self, path):
        return self.ask("GET", "/api/v1" + path)

    def post(self, path, body=None):
        return self.ask("POST", "/api/v1" + path, {} if body is None else body)

    def mark(self, video, **change):
        return self.post("/marks", {"marks": [{"video": video, **change}]})

    def video(self, video):
        return self.get(f"/videos/{video}")

    def status(self, video):
        return self.video(video)["status"]

    def listed(self, query=""):
        """The IDs of the first videos of a list."""
        return [video["video"] for video in self.get(f"/videos?limit=50{query}")["videos"]]

    def command(self, *words, check=True):
        return subprocess.run([BUILD / "metube-rss", *words], env=self.environment, check=check, capture_output=True, text=True).stdout

    def add_user(self, name, password):
        subprocess.run([BUILD / "metube-hub", "user", "add", name], input=password + "\n", env=self.environment, check=True,
                       capture_output=True, text=True)

    def followed(self):
        return {row["channel"]: row for row in self.get("/channels")["channels"]}
