#!/usr/bin/env python3
"""hub-fairness.py [--videos 100000] [--seconds 20] [--connections 16] [--database] [--only WORD …]

What one user can take from others: mallory, at the limit of subscriptions, sends one kind of costly request after the
other without pause, while ann and bob read and mark at a steady pace. Each of the three sees as many videos. --database:
on the PostgreSQL server of the environment (see with-postgres.sh); --only: the kinds whose names have one of the words.

Prints for each kind what mallory was answered, and the times of the others, idle and beside it. Ends with 1, and names it,
if the others' median is 3 times the idle one or more, their 99th percentile 1 s or more, the hub's peak memory 300 MB or
more, or if they were not answered with success. mallory's processes are of the lowest priority, for they stand for other
machines.
"""
import argparse, collections, multiprocessing, os, random, sys, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
from fairness_data import ENTRIES, OTHERS, SUBSCRIPTIONS, Feeds, fill
from fairness_kinds import KINDS, MADE, Client
from sandbox import Broken, DatabaseHub, Hub, Sandbox, channel

OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--videos", type=int, default=100_000)
OPTIONS.add_argument("--seconds", type=float, default=20)
OPTIONS.add_argument("--connections", type=int, default=16)
OPTIONS.add_argument("--database", action="store_true")
OPTIONS.add_argument("--only", nargs="*", default=[""])
# The gates: times the idle median, seconds, MB.
MEDIAN, P99, MEMORY = 3, 1, 300
# Between two requests of one of the others, seconds.
PACE = 0.02
fork = multiprocessing.get_context("fork")


def act(user, port, token, end, videos, channels, pipe):
    """What one of the others does until an end: by request the seconds that each took, and those that failed."""
    generator, client = random.Random(user), Client(port, token, end + 90)
    took, failed, marked = collections.defaultdict(list), collections.Counter(), False
    while time.monotonic() < end:
        marked = not marked
        mark = {"marks": [{"video": generator.choice(videos), "saved": marked}]}
        for name, words in {
            "list": ("GET", "/api/v1/videos?limit=50"),
            "channel": ("GET", f"/api/v1/videos?channel={channel(generator.randrange(channels))}&limit=50"),
            "mark": ("POST", "/api/v1/marks", mark),
            "entries": ("GET", "/v1/entries?status=unread&limit=50"),
            "page": ("GET", "/"),
        }.items():
            began = time.monotonic()
            status = client.send(*words)
            took[name].append(time.monotonic() - began)
            if status != 200:
                failed[f"{name} {status}"] += 1
            time.sleep(PACE)
    pipe.send((dict(took), failed))


def attack(kind, port, token, end, number, pipe):
    os.nice(19)
    client = Client(port, token, end)
    kind(client, number)
    pipe.send(client.answers)


class Children:
    """Functions that run in processes of their own, and what each sends."""

    def __init__(self):
        self.all = []

    def start(self, function, *arguments):
        there, here = fork.Pipe(duplex=False)
        process = fork.Process(target=function, args=(*arguments, here))
        process.start()
        here.close()
        self.all.append((process, there))

    def end(self, seconds):
        """Waits, and ends those that do not end; returns what was sent."""
        found, end = [], time.monotonic() + seconds
        for process, pipe in self.all:
            try:
                if pipe.poll(max(0.1, end - time.monotonic())):
                    found.append(pipe.recv())
            except EOFError:
                pass
            process.join(max(0.1, end - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
        return found


class Measurement:
    """The others' times, in ms, and the hub's peak memory, in MB, for a while."""

    def __init__(self, hub, channels, kind=None):
        status = Path(f"/proc/{hub.process.pid}/status")
        # proc(5): resets the peak.
        Path(f"/proc/{hub.process.pid}/clear_refs").write_text("5")
        others, attackers = Children(), Children()
        end = time.monotonic() + SECONDS
        for number in range(CONNECTIONS if kind else 0):
            attackers.start(attack, kind, hub.port, hub.tokens["mallory"], end, number)
        for user in OTHERS:
            others.start(act, user, hub.port, hub.tokens[user], end, VIDEOS[user], channels)
        found = others.end(SECONDS + 120)
        self.answers = sum(attackers.end(30), collections.Counter())
        if len(found) < len(OTHERS):
            raise Broken("one of the others did not end")
        self.failed = sum((failed for _, failed in found), collections.Counter())
        self.took = collections.defaultdict(list)
        for took, _ in found:
            for name, times in took.items():
                self.took[name] += [seconds * 1000 for seconds in times]
        self.all = sorted(time for times in self.took.values() for time in times)
        self.median, self.p99 = self.all[len(self.all) // 2], self.all[len(self.all) * 99 // 100]
        if hub.process.poll() is not None:
            raise Broken(f"the hub ended with {hub.process.returncode}; see hub.errors")
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        self.memory = int(peak.split()[1]) / 1000

    def worst(self, idle):
        """The kind of request whose median grew most, and how many times."""
        def median(times):
            return sorted(times)[len(times) // 2]
        ratios = {name: median(times) / median(idle.took[name]) for name, times in self.took.items()}
        return max(ratios.items(), key=lambda ratio: ratio[1])

    def broken(self, idle):
        """The gates that are broken, in words."""
        gates = []
        if self.median >= MEDIAN * idle.median:
            gates.append(f"median {self.median:.1f} ms, {self.median / idle.median:.1f} times the idle one")
        if self.p99 >= P99 * 1000:
            gates.append(f"p99 {self.p99:.0f} ms")
        if self.memory >= MEMORY:
            gates.append(f"memory {self.memory:.0f} MB")
        if self.failed:
            gates.append("others failed: " + ", ".join(f"{name} {count} times" for name, count in self.failed.items()))
        return gates


def settle(hub):
    """Waits until the hub is done with mallory's requests; returns whether it is within two minutes."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        client = Client(hub.port, hub.tokens["mallory"], end)
        if client.send("GET", f"/api/v1/videos?limit={random.randint(1, 500)}") == 200:
            time.sleep(1)
            return True
        time.sleep(0.5)
    return False


def measure(hub, channels, only):
    for user in OTHERS:
        VIDEOS[user] = [video["video"] for video in hub.get(user, "/api/v1/videos?limit=500")["videos"]]
    if not settle(hub):
        raise Broken("the hub does not answer mallory")
    idle, gates = Measurement(hub, channels), []
    print(f"\n{'PostgreSQL' if isinstance(hub, DatabaseHub) else 'files'}, {channels * ENTRIES:,} videos, idle: median "
          f"{idle.median:.1f} ms, p99 {idle.p99:.0f} ms, {len(idle.all)} requests, memory {idle.memory:.0f} MB\n\n"
          "| mallory | answers | median, ms | times idle | most, of | p99, ms | longest, ms | memory, MB |\n"
          "|---|---|---|---|---|---|---|---|", flush=True)
    if idle.failed:
        raise Broken(f"idle: {dict(idle.failed)}")
    for name, kind, prepare in KINDS:
        if not any(word in name for word in only):
            continue
        if prepare:
            prepare(hub)
        if bodies := getattr(kind, "bodies", None):
            MADE[bodies] = bodies()
        beside = Measurement(hub, channels, kind)
        MADE.clear()
        answers = ", ".join(f"{count} {status}" for status, count in sorted(beside.answers.items()))
        request, ratio = beside.worst(idle)
        print(f"| {name} | {answers} | {beside.median:.1f} | {beside.median / idle.median:.1f} | {ratio:.1f} {request} "
              f"| {beside.p99:.0f} | {beside.all[-1]:.0f} | {beside.memory:.0f} |", flush=True)
        gates += [f"{name}: {gate}" for gate in beside.broken(idle)]
        if not settle(hub):
            gates.append(f"{name}: mallory waits for longer than two minutes afterwards")
    return gates


options = OPTIONS.parse_args()
SECONDS, CONNECTIONS, VIDEOS = options.seconds, options.connections, {}
channels = max(1, min(SUBSCRIPTIONS, round(options.videos / ENTRIES)))
with Sandbox(1) as sandbox, Feeds(sandbox, channels):
    hub = DatabaseHub(sandbox) if options.database else Hub(sandbox, sandbox.folder / "hub")
    try:
        began = time.monotonic()
        fill(hub, channels)
        print(f"data made in {time.monotonic() - began:.0f} s", flush=True)
        gates = measure(hub, channels, options.only)
    finally:
        if hub.process and hub.process.poll() is None:
            hub.end()
for gate in gates:
    print(f"hub-fairness: {gate}", file=sys.stderr)
sys.exit(1 if gates else 0)
