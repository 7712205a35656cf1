#!/usr/bin/env python3
"""judge-many.py [CHANNELS=3000] [LIFEREA=800]: readers that ask feed by feed, with many channels.

newsboat reloads CHANNELS channels in its modes of Miniflux and feedhq, Liferea LIFEREA of them. No request may be refused,
videos of every channel must arrive, and what is marked by the same user meanwhile must be in the log. BUILD (release)
names the programs. Exits with 1 if something is missing; what is not installed is skipped.
"""
import os, shutil, signal, sqlite3, subprocess, sys, threading, time
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import quoteattr

from sandbox import Broken, Hub, Sandbox

PASSWORD = "a long password"


class Judged:
    """A hub with a user who follows many channels, and marks with the readers' token."""

    def __init__(self, sandbox, channels):
        self.sandbox, self.log = sandbox, sandbox.folder / "hub.errors"
        self.hub = Hub(sandbox, sandbox.folder / f"hub-{channels}")
        self.hub.add("ann")
        self.hub.start("--no-poll", "--log-requests")
        self.expect(self.hub.ask("ann", "POST", "/api/v1/import", sandbox.ids(channels))[0] == 200, "no import")
        self.hub.take_follows("ann", channels)
        # The hub's own poll keeps the pace of YouTube.
        self.hub.end()
        self.hub.poll()
        self.hub.start("--no-poll", "--log-requests")
        self.channels = channels
        self.url = f"http://127.0.0.1:{self.hub.port}"

    def expect(self, holds, words):
        if not holds:
            raise Broken(words)

    def refused(self, since):
        """The statuses of requests after a place of the log that were not served, and how many there were."""
        lines = [line.split() for line in self.log.read_text(errors="replace")[since:].splitlines()]
        # Time, address, method, path, status, bytes, milliseconds.
        requests = [line[4] for line in lines if len(line) == 7 and line[4].isdigit()]
        return {status: count for status, count in Counter(requests).items() if status >= "400"}, len(requests)

    def mark(self, stop, marked):
        """Marks videos one by one until it is to stop, as a reader does while it loads."""
        for entry in self.hub.get("ann", "/v1/entries?limit=500&direction=asc")["entries"]:
            if stop.is_set():
                return
            status, _ = self.hub.ask("ann", "PUT", "/v1/entries", {"entry_ids": [entry["id"]], "status": "read"})
            marked.append((entry["hash"], status))
            time.sleep(0.2)

    def reload(self, name, load, count):
        """Loads everything in a reader while the user marks; `count` is of how many channels it has videos then."""
        since, stop, marked = self.log.stat().st_size, threading.Event(), []
        thread = threading.Thread(target=self.mark, args=(stop, marked))
        thread.start()
        begin = time.monotonic()
        try:
            load()
        finally:
            stop.set()
            thread.join()
        seconds, got = time.monotonic() - begin, count()
        refused, requests = self.refused(since)
        self.expect(not refused, f"{name}: refused {refused}")
        self.expect(all(status == 204 for _, status in marked), f"{name}: marks were refused")
        watched = {event["video"] for event in self.hub.lines("ann") if event.get("status") == "watched"}
        self.expect({video for video, _ in marked} <= watched, f"{name}: a mark is not in the log")
        self.expect(marked, f"{name}: nothing was marked meanwhile")
        self.expect(got == self.channels, f"{name}: has videos of {got} of {self.channels} channels")
        print(f"{name}: videos of {got} channels, {requests} requests in {seconds:.0f} s, {len(marked)} marks meanwhile, none refused",
              flush=True)


def newsboat(judged, source):
    folder = judged.sandbox.folder / source
    folder.mkdir()
    address = judged.url + "/"
    (folder / "config").write_text(
        f'urls-source "{source}"\n{source}-url "{address}"\n{source}-login "ann"\n{source}-password "{PASSWORD}"\n')
    words = ["newsboat", "-C", folder / "config", "-c", folder / "cache.db", "-u", folder / "urls"]
    environment = judged.sandbox.environment | {"HOME": str(folder)}
    def load():
        subprocess.run([*words, "-x", "reload"], env=environment, capture_output=True, timeout=1800)
    def count():
        with sqlite3.connect(folder / "cache.db") as database:
            return database.execute("SELECT count(DISTINCT feedurl) FROM rss_item").fetchone()[0]
    judged.reload(f"newsboat ({source})", load, count)


def liferea(judged):
    folder = judged.sandbox.folder / "liferea"
    (folder / ".config/liferea").mkdir(parents=True)
    words = " ".join(f"{name}={quoteattr(value)}" for name, value in [
        ("title", "hub"), ("text", "hub"), ("type", "source"), ("id", "aaaaaaa"), ("sourceType", "fl_miniflux"),
        ("xmlUrl", judged.url + "/"), ("username", "ann"), ("password", PASSWORD)])
    (folder / ".config/liferea/feedlist.opml").write_text(
        f'<?xml version="1.0"?>\n<opml version="1.0"><head/><body><outline {words}/></body></opml>\n')
    environment = judged.sandbox.environment | {
        "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config"), "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": str(folder / "cache")}
    def counted():
        with sqlite3.connect(next((folder / "data").rglob("liferea.db")), timeout=30) as database:
            return database.execute("SELECT count(DISTINCT node_id) FROM items").fetchone()[0]
    def load():
        process = subprocess.Popen(
            ["dbus-run-session", "--", "xvfb-run", "-a", "liferea"], env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        last, quiet = -1, 0
        try:
            # It asks for the IDs of all feeds before it asks for the first videos.
            while quiet < 30:
                time.sleep(1)
                asked = judged.log.read_text(errors="replace").count("/stream/items/")
                quiet = quiet + 1 if asked == last and asked else 0
                last = asked
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    judged.reload("Liferea", load, counted)


def main():
    channels = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    fewer = int(sys.argv[2]) if len(sys.argv) > 2 else 800
    with Sandbox(max(channels, fewer)) as sandbox:
        if shutil.which("newsboat"):
            judged = Judged(sandbox, channels)
            try:
                for source in ("miniflux", "feedhq"):
                    newsboat(judged, source)
            finally:
                judged.hub.end()
        else:
            print("newsboat: skipped, not installed")
        if shutil.which("liferea") and shutil.which("xvfb-run") and shutil.which("dbus-run-session"):
            judged = Judged(sandbox, fewer)
            try:
                liferea(judged)
            finally:
                judged.hub.end()
        else:
            print("Liferea: skipped, not installed")


main()
