#!/usr/bin/env python3
"""judge-many.py [CHANNELS=3000] [LIFEREA=800]: readers that ask feed by feed, with many channels.

newsboat reloads CHANNELS channels in its modes of Miniflux and feedhq, Liferea LIFEREA of them with each kind of account.
Addresses and configurations are those that docs/readers.md prints. No request may be refused, videos of every channel must
arrive, and what is marked by the same user meanwhile must be in the log. BUILD (release) names the programs. Exits with 1
if something is missing; what is not installed is skipped.
"""
import shutil, sqlite3, subprocess, sys, threading, time
from collections import Counter

from readers import LIFEREA_KINDS, NEWSBOAT, has_screen, liferea, printed
from sandbox import Broken, Hub, Sandbox


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
    (folder / "config").write_text(printed(NEWSBOAT[source], judged.url))
    words = ["newsboat", "-C", folder / "config", "-c", folder / "cache.db", "-u", folder / "urls"]
    environment = judged.sandbox.environment | {"HOME": str(folder)}
    def load():
        subprocess.run([*words, "-x", "reload"], env=environment, capture_output=True, timeout=1800)
    def count():
        with sqlite3.connect(folder / "cache.db") as database:
            return database.execute("SELECT count(DISTINCT feedurl) FROM rss_item").fetchone()[0]
    judged.reload(f"newsboat ({source})", load, count)


def liferea_kind(judged, kind):
    folder = judged.sandbox.folder / kind
    log = judged.log
    tables = None
    def requests(since):
        return log.read_text(errors="replace")[since:].count("/stream/items/")
    def load():
        nonlocal tables
        since = log.stat().st_size
        window, tables = liferea(folder, judged.sandbox.environment, kind, judged.url)
        with window:
            # It requests the IDs of all feeds before it requests the first videos.
            last, quiet = -1, 0
            while quiet < 30:
                time.sleep(1)
                now = requests(since)
                quiet = quiet + 1 if now == last and now else 0
                last = now
    judged.reload(f"Liferea ({kind})", load, lambda: tables.count("SELECT count(DISTINCT node_id) FROM items"))


def main():
    channels = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    fewer = int(sys.argv[2]) if len(sys.argv) > 2 else 800
    with Sandbox(max(channels, fewer)) as sandbox:
        if shutil.which("newsboat"):
            judged = Judged(sandbox, channels)
            try:
                for source in NEWSBOAT:
                    newsboat(judged, source)
            finally:
                judged.hub.end()
        else:
            print("newsboat: skipped, not installed")
        if shutil.which("liferea") and shutil.which("dbus-run-session") and has_screen():
            judged = Judged(sandbox, fewer)
            try:
                for kind in LIFEREA_KINDS:
                    liferea_kind(judged, kind)
            finally:
                judged.hub.end()
        else:
            print("Liferea: skipped, not installed")


main()
