#!/usr/bin/env python3
"""Two pollers and two web processes on one database, for some minutes, with an outage of the feeds and crashes.

  scripts/with-postgres.sh Benchmarks/many.py [--minutes 10] [--channels 600] [--users 10]

Run it after `make hub tools`; BIN says where the programs are (.build/release). A server of feeds on loopback counts
requests. First every feed is read; then the database is dated back by an hour, so that the feeds are due again at any
moment of the run, also in the outage. Each publishes a video up to a minute before it is due. A pause, of half an hour
or more, is cut to a minute as soon as it is seen. Twice a second a user reads a page and marks a video through one of
the web processes. Poller, web process and PostgreSQL are killed and started again. At the end: no feed was requested
twice within 15 minutes, no video was found twice, every acknowledged mark is in the log, no request was sent in a pause,
and how long videos took to the pages.
"""
import argparse, collections, contextlib, http.server, json, os, random, signal, socket, statistics, subprocess, sys, tempfile
import threading, time, urllib.error, urllib.request

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--minutes", type=float, default=10)
OPTIONS.add_argument("--channels", type=int, default=600)
OPTIONS.add_argument("--users", type=int, default=10)
BIN = os.environ.get("BIN", ".build/release")
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# By what part of the run: feeds become due until, the outage, and who is killed.
DUE = 0.85
OUTAGE = (0.35, 0.5)
FAULTS = [
    (0.08, "poll1"), (0.16, "web1"), (0.25, "postgres"), (0.42, "poll2"), (0.55, "web2"), (0.65, "postgres"),
    (0.75, "poll1")]
# What a pause is cut to, seconds.
PAUSE = 60


def text(number, length):
    letters = ""
    for _ in range(length):
        letters = ALPHABET[number % 64] + letters
        number //= 64
    return letters


def channel(number):
    return "UC" + text(number * 64, 22)


def video(number, index):
    return text((number * 16 + index) * 64, 11)


def date(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(seconds))


class Feeds(http.server.BaseHTTPRequestHandler):
    """Answers feeds, or 404 to all while there is an outage."""

    protocol_version = "HTTP/1.1"
    # Of feeds: when, of which channel, which address, and whether it failed; of other pages when.
    requests, others = [], []
    # When each channel publishes its fourth video, and when that was first answered.
    published, served = {}, {}
    outage = (0, 0)
    channels = 0

    def log_message(self, *_):
        pass

    def handle(self):
        # A poller that is killed closes its connections.
        with contextlib.suppress(ConnectionError):
            super().handle()

    def do_GET(self):
        now = time.time()
        number = next((n for n in range(self.channels) if channel(n)[2:] in self.path), None)
        body, status = b"not found", 404
        if number is None or "videos.xml" not in self.path:
            self.others.append(now)
        else:
            fails = self.outage[0] <= now < self.outage[1]
            self.requests.append((now, number, self.path, fails))
            if not fails:
                body, status = self.feed(number, now), 200
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def feed(self, number, now):
        entries = [(index, now - 86400 * (index + 3)) for index in range(3)]
        if self.published.get(number, now) < now:
            entries.append((3, self.published[number]))
            self.served.setdefault(number, now)
        return (
            '<?xml version="1.0" encoding="UTF-8"?><feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" '
            'xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">'
            f"<id>yt:channel:{channel(number)[2:]}</id><yt:channelId>{channel(number)[2:]}</yt:channelId>"
            f"<title>Channel {number}</title><author><name>Channel {number}</name></author>"
            f"<published>2020-01-01T00:00:00+00:00</published>"
            + "".join(self.entry(number, index, at) for index, at in reversed(entries)) + "</feed>").encode()

    @staticmethod
    def entry(number, index, at):
        name = video(number, index)
        return (
            f"<entry><id>yt:video:{name}</id><yt:videoId>{name}</yt:videoId>"
            f"<yt:channelId>{channel(number)}</yt:channelId><title>Video {index} of {number}</title>"
            f'<link rel="alternate" href="https://www.youtube.com/watch?v={name}"/>'
            f"<author><name>Channel {number}</name></author>"
            f"<published>{date(at)}</published><updated>{date(at)}</updated></entry>")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Hub:
    """A hub of several processes on one database, and its users' tokens."""

    def __init__(self, feeds_port):
        # DATABASE, for a server that is reached another way than by psql.
        address = os.environ.get("DATABASE") or (
            f"host={os.environ['PGHOST']} port={os.environ['PGPORT']} user={os.environ['PGUSER']} dbname=postgres")
        self.folder = tempfile.mkdtemp()
        self.environment = dict(
            os.environ, HOME=self.folder, METUBE_HUB_DATABASE=address,
            METUBE_RSS_FEEDS_URL=f"http://127.0.0.1:{feeds_port}")
        self.ports = {"web1": free_port(), "web2": free_port()}
        self.log = open(f"{self.folder}/log", "w")
        self.running, self.tokens = {}, []

    def run(self, *words, **more):
        return subprocess.run(
            [f"{BIN}/metube-hub", *words], env=self.environment, capture_output=True, text=True, check=True,
            **more).stdout

    def add_users(self, count):
        for user in range(count):
            self.run("user", "add", f"user{user}", input="correct horse battery\n")
            self.tokens.append(self.run("token", "add", f"user{user}", "bench", "--scope", "write").split()[-1])

    def start(self, name, *more):
        words = (
            ["poll", "--address", "bench", *more] if name.startswith("poll")
            else ["serve", "--no-poll", "--listen", f"127.0.0.1:{self.ports[name]}"])
        self.running[name] = subprocess.Popen(
            [f"{BIN}/metube-hub", *words], env=self.environment, stdout=self.log, stderr=self.log)

    def kill(self, name):
        """Kills a process or the server, and starts it again."""
        if name != "postgres":
            self.running[name].kill()
            self.running[name].wait()
            return self.start(name)
        data = rows("SHOW data_directory")[0]
        words = ["pg_ctl", "restart", "-s", "-w", "-m", "immediate", "-D", data, "-l", f"{data}/../log"]
        if os.getuid() == 0:
            words = ["runuser", "-u", "postgres", "--"] + words
        with open(f"{data}/postmaster.opts") as given:
            given = given.read().split(" ", 1)[1].replace('"', "").strip()
        subprocess.run(words + ["-o", given], check=False, stdout=self.log, stderr=self.log)

    def end(self, *names):
        for name in names:
            self.running[name].send_signal(signal.SIGTERM)
        for name in names:
            status = self.running.pop(name).wait(120)
            if status != 0:
                print(f"{name}: exited with {status}")

    def request(self, web, user, path, body=None):
        call = urllib.request.Request(
            f"http://127.0.0.1:{self.ports[web]}{path}", data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.tokens[user]}", "Content-Type": "application/json"})
        with urllib.request.urlopen(call, timeout=60) as answer:
            return json.load(answer)

    def follow(self, user, channels):
        for part in range(0, len(channels), 100):
            words = {"channels": [channel(n) for n in channels[part : part + 100]]}
            settled(lambda: self.request("web1", user, "/api/v1/channels", words))


def rows(sql):
    found = subprocess.run(
        ["psql", "-Atc", "SET search_path = metube", "-c", sql], capture_output=True, text=True, check=True)
    return [line for line in found.stdout.splitlines() if line not in ("SET", "")]


def settled(body, seconds=120):
    """What `body` returns once it does not fail any more."""
    end = time.time() + seconds
    while True:
        try:
            return body()
        except (OSError, subprocess.CalledProcessError):
            if time.time() > end:
                raise
            time.sleep(0.5)


def read_all(hub, channels):
    """Polls every feed once, and dates that back by an hour."""
    for name in ("poll1", "poll2"):
        hub.start(name, "--rate", "50")
    settle = time.time() + 300
    while len({number for _, number, _, _ in Feeds.requests}) < channels and time.time() < settle:
        time.sleep(0.2)
    hub.end("poll1", "poll2")
    rows("UPDATE poll_channel SET requested = requested - 3600, answered = answered - 3600, rests_until = NULL")


def make_due(channels, began, whole):
    """Makes each feed due at some moment, a while after it published a video."""
    for number in range(channels):
        due = began + random.random() * DUE * whole
        Feeds.published[number] = due - random.random() * 60
    values = ",".join(
        f"('{channel(number)}', {int(at) + 60})" for number, at in Feeds.published.items())
    rows(f"UPDATE poll_channel AS feed SET due = wanted.due FROM (VALUES {values}) AS wanted(id, due)"
         " WHERE feed.subscription = wanted.id")


class Pauses:
    """Watches pauses of the polls, and cuts them."""

    def __init__(self):
        # From when to when each lasted, and for how long it was meant.
        self.spans = []
        self.retry = None

    def look(self):
        try:
            found = rows("SELECT retry, backoff, retry - unix_time() FROM poll_pause WHERE address = ''")
        except subprocess.CalledProcessError:
            return
        if not found:
            self.retry = None
            return
        retry, backoff, left = (int(value) for value in found[0].split("|"))
        if retry == self.retry:
            return
        rows(f"UPDATE poll_pause SET retry = unix_time() + {PAUSE} WHERE address = '' AND retry = {retry}")
        self.retry = int(rows("SELECT retry FROM poll_pause WHERE address = ''")[0])
        self.spans.append((time.time(), self.retry, backoff))
        print(f"a pause of {left} s, cut to {PAUSE} s", flush=True)


def main():
    options = OPTIONS.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feeds)
    Feeds.channels = options.channels
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hub = Hub(server.server_port)
    hub.run("migrate")
    hub.add_users(options.users)
    for name in hub.ports:
        hub.start(name)
    for user in range(options.users):
        hub.follow(user, [n for n in range(options.channels) if n % options.users in (user, (user + 1) % options.users)])
    read_all(hub, options.channels)
    first = len(Feeds.requests)
    whole = options.minutes * 60
    began = time.time()
    make_due(options.channels, began, whole)
    Feeds.outage = tuple(began + part * whole for part in OUTAGE)
    for name in ("poll1", "poll2"):
        hub.start(name)
    acknowledged, refused, seen = [], collections.Counter(), {}
    pauses, faults, mark = Pauses(), list(FAULTS), 0
    while time.time() < began + whole:
        while faults and time.time() >= began + faults[0][0] * whole:
            name = faults.pop(0)[1]
            print(f"{time.time() - began:5.0f} s  kill -9 {name}", flush=True)
            hub.kill(name)
        pauses.look()
        user, web = random.randrange(options.users), random.choice(list(hub.ports))
        try:
            page = hub.request(web, user, "/api/v1/videos?limit=500")
            now = time.time()
            for found in page["videos"]:
                seen.setdefault(found["video"], now)
            if page["videos"]:
                chosen = random.choice(page["videos"])["video"]
                hub.request(web, user, "/api/v1/marks", {"marks": [{"video": chosen, "note": f"mark {mark}"}]})
                acknowledged.append(f"mark {mark}")
                mark += 1
        except urllib.error.HTTPError as error:
            refused[error.code] += 1
        except OSError:
            refused["no answer"] += 1
        time.sleep(0.4)
    hub.end(*list(hub.running))
    print("logs:", hub.folder)
    sys.exit(0 if report(first, began, pauses, acknowledged, refused, seen) else 1)


def spread(values):
    values = sorted(values)
    if not values:
        return "none"
    return (f"median {statistics.median(values):.1f}, 95 % {values[int(len(values) * 0.95)]:.1f}, most {values[-1]:.1f}"
            f" of {len(values)}")


def report(first, began, pauses, acknowledged, refused, seen):
    """Prints what happened; returns whether all of it is as promised."""
    feeds = Feeds.requests[first:]
    times = [at for at, _, _, _ in feeds]
    gaps, last = [], {}
    for at, _, path, _ in feeds:
        if path in last:
            gaps.append(at - last[path])
        last[path] = at
    begin, end = Feeds.outage
    rate = max([sum(1 for at in times if early <= at < early + 10) for early in times[::20]], default=0)
    channels = len({number for _, number, _, _ in feeds})
    print(f"feeds requested: {len(feeds)}, {len(last)} different ones of {channels} channels; "
          f"{len(Feeds.others)} other pages; at most {rate} in 10 s")
    print(f"the same feed again: {len(gaps)} times" + (f", the soonest after {min(gaps):.0f} s" if gaps else ""))
    in_pause = 0
    for seen_at, retry, backoff in pauses.spans:
        # A second for requests that had left, and for the seconds of the server's clock.
        count = sum(1 for at in times if seen_at + 1 < at < retry - 1)
        print(f"pause at {seen_at - began:.0f} s for {backoff} s, until {retry - began:.0f} s: {count} requests in it")
        in_pause += count
    failed = [at for at, _, _, fails in feeds if fails]
    after = [at for at in times if at >= end]
    print(f"outage from {begin - began:.0f} s to {end - began:.0f} s: {len(failed)} requests at "
          f"{', '.join(f'{at - began:.0f}' for at in failed)} s; "
          f"the next one at {min(after, default=0) - began:.0f} s")
    lines = rows("SELECT convert_from(bytes, 'UTF8') FROM log_line")
    notes = {json.loads(line)["text"] for line in lines if '"kind":"noteSet"' in line}
    kept = sum(note in notes for note in acknowledged)
    found = collections.Counter(json.loads(line)["video"] for line in lines if '"kind":"videoFound"' in line)
    served = 3 * Feeds.channels + len(Feeds.served)
    print(f"videos found: {len(found)} of {served}, twice: {sum(n > 1 for n in found.values())}")
    print(f"marks acknowledged: {len(acknowledged)}, in the log: {kept}; not answered: {dict(refused)}")
    pages = {number: seen[video(number, 3)] for number in Feeds.served if video(number, 3) in seen}
    print(f"from publication until a page had it, s: {spread(pages[n] - Feeds.published[n] for n in pages)}")
    print(f"from the feed's answer until a page had it, s: {spread(pages[n] - Feeds.served[n] for n in pages)}")
    return (
        kept == len(acknowledged) and all(n == 1 for n in found.values()) and all(gap >= 900 for gap in gaps)
        and in_pause == 0 and served - len(found) <= 40)


main()
