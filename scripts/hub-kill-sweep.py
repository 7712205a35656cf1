#!/usr/bin/env python3
"""hub-kill-sweep.py [KILLS=100] [--database]: kills a hub with SIGKILL at random moments while clients of two users mark by
the API, the page's forms and a reader's API. --database: on the PostgreSQL server of the environment (see
with-postgres.sh), which crashes too.

Whatever was acknowledged must be there after the next start; no mark may reach the other user; a video keeps its number,
and new ones get higher numbers than all before: with files also after the caches were deleted, the logs compacted, and a
backup restored into the hub's place, which may take back marks, but no numbers.
"""
import http.client, json, random, shutil, subprocess, sys, threading, time, urllib.parse

from sandbox import Broken, DatabaseHub, Hub, Sandbox

CHANNELS = 30


class Client:
    """Marks videos that no other client marks, three at a time."""

    # Of the events that count, and what a video has without one.
    kind, unmarked = "noteSet", None

    def __init__(self, hub, user, videos):
        # By video its number.
        self.hub, self.user, self.videos, self.count = hub, user, videos, 0
        # By video what it may have now: what was acknowledged last, and what was sent since.
        self.possible = {}
        self.renew()

    def renew(self):
        self.token = self.hub.renew(self.user)

    def value(self, video):
        return f"{self.user} {self.count} {random.random()}"

    def send(self, connection, values):
        """Marks videos; returns whether the hub acknowledged all of it."""
        marks = [{"video": video, "note": value} for video, value in values.items()]
        status, answer = self.ask(connection, "POST", "/api/v1/marks", {"marks": marks})
        return status == 200 and answer["changed"] == len(values)

    def ask(self, connection, method, path, body=None):
        return self.hub.ask(self.user, method, path, body, connection, self.token)

    def run(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=60)
            while True:
                self.count += 1
                batch = random.sample(list(self.videos), min(3, len(self.videos)))
                values = {video: self.value(video) for video in batch}
                for video, value in values.items():
                    self.possible.setdefault(video, {self.unmarked}).add(value)
                if self.send(connection, values):
                    self.possible |= {video: {value} for video, value in values.items()}
                if self.count % 5 == 0:
                    self.ask(connection, "GET", "/api/v1/videos?limit=50")
                if self.count % 40 == 0:
                    self.ask(connection, "POST", "/api/v1/poll")
        except (OSError, http.client.HTTPException, ValueError):
            pass  # It was killed.

    def of(self, event):
        """The value that an event gives its video."""
        return event["text"] or None

    def shown(self, video):
        """The value that a video of the API has."""
        return video["note"] or None

    def judge(self):
        # A restored hub writes a log of its own beside the older one; IDs are in the order of time.
        events = [event for event in self.hub.lines(self.user) if event.get("kind") == self.kind]
        values = {event["video"]: self.of(event) for event in sorted(events, key=lambda event: event["id"])}
        # Some also as the hub shows them; each request counts towards a limit.
        for video in random.sample(sorted(self.possible), min(5, len(self.possible))):
            if self.shown(self.hub.get(self.user, f"/api/v1/videos/{video}")) != values.get(video, self.unmarked):
                raise Broken(f"{self.user}'s {video} is not shown as {values.get(video, self.unmarked)!r}")
        for video, possible in self.possible.items():
            if values.get(video, self.unmarked) not in possible:
                raise Broken(f"{self.user}'s {video} has {values.get(video, self.unmarked)!r}, none of {sorted(map(str, possible))}")
        self.possible = {video: {values.get(video, self.unmarked)} for video in self.possible}


class PageClient(Client):
    """Sends the form of a video's note, one video each."""

    def renew(self):
        self.token, self.cookie = None, None

    def send(self, connection, values):
        if not self.cookie:
            form = {"name": self.user, "password": "a long password"}
            status, fields = self.post(connection, "/login", form)
            self.cookie = fields["Set-Cookie"].split(";")[0]
        for video, value in values.items():
            form = {"video": video, "note": value, "action": "note", "back": "/"}
            if self.post(connection, "/marks", form)[0] != 303:
                return False
        return True

    def post(self, connection, path, form):
        fields = {"Content-Type": "application/x-www-form-urlencoded"} | ({"Cookie": self.cookie} if self.cookie else {})
        connection.request("POST", path, urllib.parse.urlencode(form), fields)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.headers

    def ask(self, connection, method, path, body=None):
        return None  # The other clients read enough.


class ReaderClient(Client):
    """Marks entries as read and unread by Miniflux's API."""

    kind, unmarked = "statusSet", "new"

    def __init__(self, hub, user, videos):
        super().__init__(hub, user, videos)
        self.turn = {}

    def value(self, video):
        self.turn[video] = not self.turn.get(video, False)
        return "watched" if self.turn[video] else "new"

    def send(self, connection, values):
        for value in set(values.values()):
            entries = [self.videos[video] for video in values if values[video] == value]
            body = json.dumps({"entry_ids": entries, "status": "read" if value == "watched" else "unread"})
            fields = {"X-Auth-Token": self.token, "Content-Type": "application/json"}
            connection.request("PUT", "/v1/entries", body, fields)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 204:
                return False
        return True

    def of(self, event):
        return event["status"]

    def shown(self, video):
        return video["status"]


class Sweep:
    def __init__(self, sandbox, hub):
        self.sandbox, self.hub, self.generation = sandbox, hub, 10
        # By user the numbers of videos, those of earlier restorations too.
        self.numbers, self.highest, self.crashes = {"ann": {}, "bob": {}}, {"ann": 0, "bob": 0}, 0
        ids = sandbox.ids(CHANNELS).split()
        for user, followed in (("ann", ids[:20]), ("bob", ids[10:])):
            self.hub.add(user)
        self.hub.start("--no-poll")
        for user, followed in (("ann", ids[:20]), ("bob", ids[10:])):
            status, answer = self.hub.ask(user, "POST", "/api/v1/import", b"\n".join(followed))
            if status != 200 or answer["new"] != 20:
                raise Broken(f"import: {status} {answer}")
        self.hub.take_follows("ann", CHANNELS)
        self.hub.end()
        self.poll()
        self.hub.start("--no-poll")
        self.clients = []
        for user in self.numbers:
            numbers = [(video["video"], video["number"]) for video in self.hub.videos(user)]
            for share, kind in enumerate((Client, PageClient, ReaderClient)):
                self.clients.append(kind(self.hub, user, dict(numbers[share::3])))
        self.judge()
        self.hub.end()

    def poll(self):
        """Lets the channels publish, and polls the catalogue as fast as the server answers."""
        self.generation += 1
        self.sandbox.generation(self.generation)
        self.hub.poll()

    def kill(self):
        for client in self.clients:
            client.renew()
        self.hub.start()
        threads = [threading.Thread(target=client.run) for client in self.clients]
        for thread in threads:
            thread.start()
        failures = []

        def poll():
            try:
                self.poll()
            except Broken as failure:
                failures.append(failure)

        polling = threading.Thread(target=poll)
        if random.random() < 0.5:
            polling.start()
        time.sleep(random.uniform(0, 1.2))
        if has_crashed := self.hub.crash():
            self.crashes += 1
            time.sleep(random.uniform(0, 1.2))
        self.hub.end(kill=True)
        for thread in threads:
            thread.join()
        if polling.ident:
            polling.join()
        if failures and not has_crashed:
            raise failures[0]

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
            then = [{video: set(values) for video, values in client.possible.items()} for client in self.clients]
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
            for client, possible in zip(self.clients, then):
                client.possible = possible
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
            for event in self.hub.lines(user):
                if event.get("kind") == "noteSet" and event["text"].startswith(other):
                    raise Broken(f"{other}'s note is in {user}'s log")
        self.hub.verify()


def main():
    words = sys.argv[1:]
    on_database = "--database" in words
    kills = int(next((word for word in words if word.isdigit()), 100))
    random.seed(time.time_ns())
    with Sandbox(CHANNELS, memory=True) as sandbox:
        sweep = Sweep(sandbox, DatabaseHub(sandbox) if on_database else Hub(sandbox, sandbox.folder / "hub"))
        kinds = [""] if on_database else ["", "", "cache", "", "compaction", "", "restoration"]
        for count in range(kills):
            sweep.kill()
            sweep.disturb(kinds[count % len(kinds)])
            sweep.hub.start("--no-poll")
            sweep.judge()
            sweep.hub.end()
        marks = sum(len(client.possible) for client in sweep.clients)
        batches = sum(client.count for client in sweep.clients)
        crashes = f"{sweep.crashes} crashes of the database, " if on_database else ""
        print(f"{kills} kills, {crashes}{batches} batches of marks sent, {marks} videos marked, nothing acknowledged was lost")
        print(f"{sum(len(known) for known in sweep.numbers.values())} numbers, none went back")


main()
