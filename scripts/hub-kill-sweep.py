#!/usr/bin/env python3
"""hub-kill-sweep.py [KILLS=100]: kills a hub with SIGKILL at random moments while three clients of two users mark.

Whatever was acknowledged must be there after the next start; no mark may reach the other user; a video keeps its number,
and new ones get higher numbers than all before: also after the caches were deleted, the logs compacted, and a backup
restored into the hub's place, which may take back marks, but no numbers.
"""
import http.client, random, shutil, subprocess, sys, threading, time

from sandbox import POLL, Broken, Hub, Sandbox, lines

CHANNELS = 30
CLIENTS = ("ann", "ann", "bob")


class Client:
    """Notes on videos that no other client marks."""

    def __init__(self, hub, user, videos):
        self.hub, self.user, self.videos = hub, user, videos
        # By video what was acknowledged, and what was sent last.
        self.kept, self.sent, self.count, self.token = {}, {}, 0, hub.renew(user)

    def ask(self, connection, method, path, body=None):
        return self.hub.ask(self.user, method, path, body, connection, self.token)

    def run(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=60)
            while True:
                self.count += 1
                batch = random.sample(self.videos, min(3, len(self.videos)))
                notes = {video: f"{self.user} {self.count} {random.random()}" for video in batch}
                self.sent |= notes
                marks = {"marks": [{"video": video, "note": note} for video, note in notes.items()]}
                status, answer = self.ask(connection, "POST", "/api/v1/marks", marks)
                if status == 200 and answer["changed"] == len(batch):
                    self.kept |= notes
                if self.count % 5 == 0:
                    self.ask(connection, "GET", "/api/v1/videos?limit=50")
                if self.count % 40 == 0:
                    self.ask(connection, "POST", "/api/v1/poll")
        except (OSError, http.client.HTTPException, ValueError):
            pass  # It was killed.

    def judge(self):
        # A restored hub writes a log of its own beside the older one; IDs are in the order of time.
        events = [line for line in lines(self.hub.data / "users" / self.user) if line.get("kind") == "noteSet"]
        notes = {event["video"]: event["text"] for event in sorted(events, key=lambda event: event["id"])}
        # Some also as the hub shows them; each request counts towards a limit.
        for video in random.sample(sorted(self.sent), min(5, len(self.sent))):
            if (self.hub.get(self.user, f"/api/v1/videos/{video}")["note"] or None) != notes.get(video):
                raise Broken(f"{self.user}'s {video} is shown without the note {notes.get(video)!r}")
        for video in self.sent:
            if notes.get(video) not in (self.kept.get(video), self.sent[video]):
                raise Broken(f"{self.user}'s {video} has the note {notes.get(video)!r}, not {self.kept.get(video)!r}")
        self.kept = {video: notes[video] for video in self.sent if video in notes}
        self.sent = dict(self.kept)


class Sweep:
    def __init__(self, sandbox):
        self.sandbox, self.hub, self.generation = sandbox, Hub(sandbox, sandbox.folder / "hub"), 10
        # By user the numbers of videos, those of earlier restorations too.
        self.numbers, self.highest, self.acknowledged = {"ann": {}, "bob": {}}, {"ann": 0, "bob": 0}, 0
        ids = sandbox.ids(CHANNELS).split()
        for user, followed in (("ann", ids[:20]), ("bob", ids[10:])):
            self.hub.add(user)
        self.hub.start("--no-poll")
        for user, followed in (("ann", ids[:20]), ("bob", ids[10:])):
            status, answer = self.hub.ask(user, "POST", "/api/v1/import", b"\n".join(followed))
            if status != 200 or answer["new"] != 20:
                raise Broken(f"import: {status} {answer}")
        self.hub.ask("ann", "POST", "/api/v1/poll")
        while len(self.followed()) < CHANNELS:
            time.sleep(0.05)
        self.hub.end()
        self.poll()
        self.hub.start("--no-poll")
        mine = {user: [video["video"] for video in self.hub.videos(user)] for user in ("ann", "bob")}
        half = len(mine["ann"]) // 2
        shares = (mine["ann"][:half], mine["ann"][half:], mine["bob"])
        self.clients = [Client(self.hub, user, share) for user, share in zip(CLIENTS, shares)]
        self.judge()
        self.hub.end()

    def followed(self):
        log = self.hub.data / "catalogue"
        return [line for line in lines(log) if line.get("kind") == "channelFollowed"]

    def poll(self):
        """Lets the channels publish, and polls the catalogue as fast as the server answers."""
        self.generation += 1
        self.sandbox.generation(self.generation)
        self.sandbox.do(self.hub.data / "catalogue", *POLL, statuses=(0, 1, 75))

    def kill(self):
        for client in self.clients:
            client.token = self.hub.renew(client.user)
        self.hub.start()
        threads = [threading.Thread(target=client.run) for client in self.clients]
        for thread in threads:
            thread.start()
        polling = threading.Thread(target=self.poll)
        if random.random() < 0.5:
            polling.start()
        time.sleep(random.uniform(0, 1.2))
        self.hub.end(kill=True)
        for thread in threads:
            thread.join()
        if polling.ident:
            polling.join()

    def disturb(self, kind):
        """What may happen to the files of a hub that does not run."""
        homes = [self.hub.data / "catalogue", self.hub.data / "users/ann", self.hub.data / "users/bob"]
        if kind == "cache":
            for home in homes:
                shutil.rmtree(home / "cache", ignore_errors=True)
        if kind == "compaction":
            for home in homes:
                self.sandbox.do(home, "log", "compact")
        if kind == "restoration":
            old = self.sandbox.folder / "old"
            shutil.rmtree(old, ignore_errors=True)
            # Since the backup there are new videos, with numbers, and marks, which are given up.
            tar = self.sandbox.folder / "hub.tar"
            self.hub.do("backup", str(tar))
            # What the last kill cut off may be in it too.
            then = [(dict(client.kept), dict(client.sent)) for client in self.clients]
            self.kill()
            self.hub.start("--no-poll")
            self.take_numbers()
            self.hub.end()
            self.hub.data.rename(old)
            self.hub.data.mkdir()
            subprocess.run(["tar", "-xf", tar, "-C", self.hub.data], check=True)
            # The backup does not know the tokens made since.
            for user in self.numbers:
                self.hub.renew(user)
            for client, (kept, sent) in zip(self.clients, then):
                client.kept, client.sent = kept, sent
            # What was first seen since the backup may have another number, as long as it is higher than all.
            self.hub.start("--no-poll")
            for user in self.numbers:
                there = {video["video"]: video["number"] for video in self.hub.videos(user)}
                self.numbers[user] = {video: number for video, number in self.numbers[user].items() if video in there}
            self.hub.end()
            self.poll()

    def take_numbers(self):
        for user, known in self.numbers.items():
            now = {video["video"]: video["number"] for video in self.hub.videos(user)}
            if moved := [video for video, number in known.items() if now.get(video) != number]:
                raise Broken(f"{user}'s {moved[0]} had the number {known[moved[0]]} and now has {now.get(moved[0])}")
            new = [number for video, number in now.items() if video not in known]
            if any(number <= self.highest[user] or number >= 1 << 31 for number in new) or len(set(now.values())) < len(now):
                raise Broken(f"{user}: numbers went back: {sorted(new)[0]} after {self.highest[user]}")
            self.numbers[user] = now
            self.highest[user] = max([self.highest[user], *now.values()])

    def judge(self):
        for client in self.clients:
            client.judge()
        self.take_numbers()
        for user in self.numbers:
            other = {"ann": "bob", "bob": "ann"}[user]
            for line in lines(self.hub.data / "users" / user):
                if line.get("kind") == "noteSet" and line["text"].startswith(other):
                    raise Broken(f"{other}'s note is in {user}'s log")
        for home in ("catalogue", "users/ann", "users/bob"):
            self.sandbox.do(self.hub.data / home, "log", "verify")


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    random.seed(time.time_ns())
    with Sandbox(CHANNELS, memory=True) as sandbox:
        sweep = Sweep(sandbox)
        kinds = ["", "", "cache", "", "compaction", "", "restoration"]
        for count in range(kills):
            sweep.kill()
            sweep.disturb(kinds[count % len(kinds)])
            sweep.hub.start("--no-poll")
            sweep.judge()
            sweep.hub.end()
        marks = sum(len(client.kept) for client in sweep.clients)
        batches = sum(client.count for client in sweep.clients)
        print(f"{kills} kills, {batches} batches of marks sent, {marks} videos marked, nothing acknowledged was lost")
        print(f"{sum(len(known) for known in sweep.numbers.values())} numbers, none went back")


main()
