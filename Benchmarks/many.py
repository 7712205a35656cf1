#!/usr/bin/env python3
"""Two pollers and two web processes on one database, for some minutes, with an outage of the feeds and crashes.

  scripts/with-postgres.sh Benchmarks/many.py [--minutes 10] [--channels 900] [--users 10]

Run it after `make hub tools`; BIN says where the programs are (.build/release). A server of feeds on loopback counts
requests. Every second a user marks a video through one of the web processes. Poller, web process and PostgreSQL are
killed and started again. At the end: no feed was requested twice within 15 minutes, no video was found twice, every
acknowledged mark is in the log, and how long videos took from the answer with them to both web processes.
"""
import argparse, collections, http.server, json, os, random, signal, statistics, subprocess, sys, tempfile, threading
import time, urllib.error, urllib.request

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--minutes", type=float, default=10)
OPTIONS.add_argument("--channels", type=int, default=900)
OPTIONS.add_argument("--users", type=int, default=10)
BIN = os.environ.get("BIN", ".build/release")
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


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


class Feeds(http.server.BaseHTTPRequestHandler):
    """Answers feeds, or 404 to all while there is an outage."""

    protocol_version = "HTTP/1.1"
    requests, served, outages = [], {}, []

    def log_message(self, *_):
        pass

    def do_GET(self):
        now = time.time()
        number = next((n for n in range(self.server.channels) if channel(n)[2:] in self.path), None)
        fails = any(first <= now < last for first, last in self.outages)
        self.requests.append((now, number if "videos.xml" in self.path else None, fails))
        body, status = b"not found", 404
        if number is not None and "videos.xml" in self.path and not fails:
            status, entries = 200, ""
            for index in range(3):
                name = video(number, index)
                entries += (
                    f"<entry><id>yt:video:{name}</id><yt:videoId>{name}</yt:videoId>"
                    f"<yt:channelId>{channel(number)}</yt:channelId><title>Video {index} of {number}</title>"
                    f'<link rel="alternate" href="https://www.youtube.com/watch?v={name}"/>'
                    f"<author><name>Channel {number}</name></author>"
                    f"<published>2026-11-{20 - index:02}T10:00:00+00:00</published>"
                    f"<updated>2026-11-{20 - index:02}T10:00:00+00:00</updated></entry>")
            body = (
                '<?xml version="1.0" encoding="UTF-8"?><feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" '
                'xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">'
                f"<id>yt:channel:{channel(number)[2:]}</id><yt:channelId>{channel(number)[2:]}</yt:channelId>"
                f"<title>Channel {number}</title><author><name>Channel {number}</name></author>"
                f"<published>2020-01-01T00:00:00+00:00</published>{entries}</feed>").encode()
            self.served.setdefault(number, now)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    options = OPTIONS.parse_args()
    # DATABASE, for a server that is reached another way than by psql.
    address = os.environ.get("DATABASE") or f"host={os.environ['PGHOST']} port={os.environ['PGPORT']} user={os.environ['PGUSER']} dbname=postgres"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feeds)
    server.channels = options.channels
    threading.Thread(target=server.serve_forever, daemon=True).start()
    folder = tempfile.mkdtemp()
    environment = dict(
        os.environ, HOME=folder, METUBE_HUB_DATABASE=address,
        METUBE_RSS_FEEDS_URL=f"http://127.0.0.1:{server.server_port}")

    def hub(*words, **more):
        return subprocess.run(
            [f"{BIN}/metube-hub", *words], env=environment, capture_output=True, text=True, check=True, **more).stdout

    hub("migrate")
    tokens = []
    for user in range(options.users):
        hub("user", "add", f"user{user}", input="correct horse battery\n")
        tokens.append(hub("token", "add", f"user{user}", "bench", "--scope", "write").split()[-1])
    running = {}
    log = open(f"{folder}/log", "w")

    def start(name):
        words = (
            ["poll", "--address", "bench"] if name.startswith("poll")
            else ["serve", "--no-poll", "--listen", f"127.0.0.1:{ports[name]}"])
        running[name] = subprocess.Popen([f"{BIN}/metube-hub", *words], env=environment, stdout=log, stderr=log)

    ports = {"web1": 15061, "web2": 15062}

    def request(web, user, path, body=None, timeout=60):
        call = urllib.request.Request(
            f"http://127.0.0.1:{ports[web]}{path}", data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {tokens[user]}", "Content-Type": "application/json"})
        with urllib.request.urlopen(call, timeout=timeout) as answer:
            return json.load(answer)

    def settled(body, seconds=120):
        end = time.time() + seconds
        while True:
            try:
                return body()
            except (OSError, urllib.error.HTTPError):
                if time.time() > end:
                    raise
                time.sleep(0.5)

    for name in ports:
        start(name)
    for user in range(options.users):
        chosen = [n for n in range(options.channels) if n % options.users in (user, (user + 1) % options.users)]
        for part in range(0, len(chosen), 100):
            words = {"channels": [channel(n) for n in chosen[part : part + 100]]}
            settled(lambda: request("web1", user, "/api/v1/channels", words))
    began = time.time()
    for name in ("poll1", "poll2"):
        start(name)
    whole = options.minutes * 60
    Feeds.outages.append((began + whole * 0.55, began + whole * 0.7))
    faults = [
        (0.10, "poll1"), (0.20, "web1"), (0.30, "postgres"), (0.40, "poll2"), (0.45, "web2"), (0.75, "postgres"),
        (0.85, "poll1")]
    acknowledged, refused, seen = [], collections.Counter(), {name: {} for name in ports}
    mark = 0
    while time.time() < began + whole:
        while faults and time.time() >= began + faults[0][0] * whole:
            name = faults.pop(0)[1]
            print(f"{time.time() - began:5.0f} s  kill -9 {name}", flush=True)
            if name == "postgres":
                data = subprocess.run(
                    ["psql", "-Atc", "SHOW data_directory"], capture_output=True, text=True, check=True).stdout.strip()
                words = ["pg_ctl", "restart", "-s", "-w", "-m", "immediate", "-D", data, "-l", f"{data}/../log"]
                if os.getuid() == 0:
                    words = ["runuser", "-u", "postgres", "--"] + words
                with open(f"{data}/postmaster.opts") as given:
                    given = given.read().split(" ", 1)[1].replace('"', "").strip()
                subprocess.run(words + ["-o", given], check=False, stdout=log, stderr=log)
            else:
                running[name].kill()
                running[name].wait()
                start(name)
        user, web = random.randrange(options.users), random.choice(list(ports))
        try:
            page = request(web, user, "/api/v1/videos?limit=500")
            now = time.time()
            for found in page["videos"]:
                seen[web].setdefault(found["video"], now)
            if page["videos"]:
                chosen = random.choice(page["videos"])["video"]
                request(web, user, "/api/v1/marks", {"marks": [{"video": chosen, "note": f"mark {mark}"}]})
                acknowledged.append((user, f"mark {mark}"))
                mark += 1
        except urllib.error.HTTPError as error:
            refused[error.code] += 1
        except OSError:
            refused["no answer"] += 1
        time.sleep(0.5)
    for process in running.values():
        process.send_signal(signal.SIGTERM)
    for name, process in running.items():
        status = process.wait(120)
        if status != 0:
            print(f"{name}: exited with {status}")

    def rows(sql):
        found = subprocess.run(["psql", "-Atc", "SET search_path = metube", "-c", sql], capture_output=True, text=True, check=True)
        return [line for line in found.stdout.splitlines() if line not in ("SET", "")]

    lines = rows("SELECT convert_from(bytes, 'UTF8') FROM log_line")
    notes = sum(any(f'"{note}"' in line for line in lines) for _, note in acknowledged)
    found = collections.Counter(
        json.loads(line)["video"] for line in rows(
            "SELECT convert_from(bytes, 'UTF8') FROM log_line WHERE owner = 0 AND position('\"videoFound\"'::bytea IN bytes) > 0"))
    feeds = [(at, number, fails) for at, number, fails in Feeds.requests if number is not None]
    gaps = []
    last = {}
    for at, number, _ in feeds:
        if number in last:
            gaps.append(at - last[number])
        last[number] = at
    waits = sorted(
        at - Feeds.served[number] for number in Feeds.served
        for at in [min((seen[web].get(video(number, 0), float("inf")) for web in ports))] if at < float("inf"))
    rate = max(
        sum(1 for at, _, _ in feeds if first <= at < first + 10) for first in [at for at, _, _ in feeds][::20] or [0])
    print(f"feeds requested: {len(feeds)} of {len(last)} channels, {sum(f for _, _, f in feeds)} in the outage; "
          f"other pages: {len(Feeds.requests) - len(feeds)}; at most {rate} in 10 s")
    print(f"the same feed again: {len(gaps)} times, the soonest after {min(gaps, default=0):.0f} s")
    print(f"videos found: {len(found)}, twice: {sum(n > 1 for n in found.values())}; served: {3 * len(Feeds.served)}")
    print(f"marks acknowledged: {len(acknowledged)}, in the log: {notes}; not answered: {dict(refused)}")
    if waits:
        print(f"from the feed's answer until a page had it, s: median {statistics.median(waits):.1f}, "
              f"95 % {waits[int(len(waits) * 0.95)]:.1f}, most {waits[-1]:.1f} (a page of some user is read twice a second)")
    missing = 3 * len(Feeds.served) - len(found)
    bad = notes != len(acknowledged) or any(n > 1 for n in found.values()) or any(gap < 900 for gap in gaps)
    print("logs:", folder)
    sys.exit(1 if bad or missing > 3 * 40 else 0)


main()
