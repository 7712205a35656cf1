#!/usr/bin/env python3
"""crash-sweep.py [--part K] [--only NAME]: injects a fault into every system call that changes the disk, and some that read.

For each command that writes the log, in each possible state of its files, and for each of its calls that write, sync,
rename, truncate, remove or create a file: the program is killed before, after and during the call; the call fails with
ENOSPC, EIO, EDQUOT or EINTR; the disk stays broken from then on; a write is short. Afterwards:

  - existing data and everything reported as done are there, and nothing that was never attempted;
  - the program exits with 0 or 74, never crashes, and reports a failure;
  - it lists, it can append again, and `log verify` finds log and read model intact;
  - after running the command again, the state is the same as without the fault.

Some of the commands also run with EIO in each call that reads a file or its status (fstat): at one time, or from then on.

`--part K` runs every K-th point. Needs a C compiler for the shim that injects the faults (fault-shim.c).
"""
import argparse, functools, json, re, shutil, time

from sandbox import POLL, Broken, Sandbox, channel

# errno values of Linux.
EINTR, EIO, ENOSPC, EDQUOT = "4", "5", "28", "122"
FAULTS = ["before", "after", EIO, ENOSPC, EDQUOT, EINTR, EIO + "+", ENOSPC + "+"]
WRITE_FAULTS = FAULTS + ["torn", "short", "short+"]
READ_FAULTS = [EIO, EIO + "+"]
KILLED = -9
CHURN = re.compile(r'"(found|lastChecked|savedAt)":("[^"]*"|null),?')
FOUND = re.compile(r'\{"kind":"videoFound","video":"([^"]*)"')
STAMP = re.compile(r'"(v|id|action|undoes|at|rule|c)":("[^"]*"|\d+),?')


def knowledge(sandbox, home):
    """The visible state, except for the times of discovery, polling and saving."""
    asked = [
        ("list", "--all", "--shorts", "show", "--upcoming", "show", "--limit", "0", "--format", "jsonl"),
        ("channels", "--format", "jsonl"), ("rule", "list", "--format", "json"), ("collection", "list")]
    lines = []
    for words in asked:
        lines += CHURN.sub("", sandbox.do(home, *words)).splitlines()
    return sorted(lines)


@functools.lru_cache(maxsize=1 << 14)
def body(line):
    """The content of a log line without IDs; None for a broken line, logStarted and runFinished."""
    text = line.decode(errors="replace")
    try:
        kind = json.loads(text).get("kind", "logStarted")
    except ValueError:
        return None
    return None if kind in ("logStarted", "runFinished") else STAMP.sub("", text)


def bodies(home):
    """The contents of all log lines, in order of file name."""
    read = [line for log in sorted((home / "log").glob("*.jsonl")) for line in log.read_bytes().split(b"\n")]
    return [said for said in map(body, read) if said]


class Scenario:
    """A command on files in a given state, and its result without faults."""

    def __init__(self, sandbox, name, start, words, stdin=b"", generation=None, once=False, rewrites=False,
                 forks=False, reads=False):
        self.sandbox, self.name, self.start, self.words, self.stdin = sandbox, name, start, words, stdin
        self.generation, self.once, self.rewrites, self.forks = generation, once, rewrites, forks
        self.reads = reads
        self.home, self.shim = sandbox.folder / "home", str(sandbox.folder / "fault-shim.so")

    def begin(self):
        shutil.rmtree(self.home, ignore_errors=True)
        if self.start:
            shutil.copytree(self.start, self.home, symlinks=True)

    def look(self):
        """Runs the command without faults; returns its calls."""
        if self.generation is not None:
            self.sandbox.generation(self.generation)
        self.begin()
        self.before = set(bodies(self.home))
        calls = self.sandbox.folder / "calls"
        calls.unlink(missing_ok=True)
        ended = self.run(FAULT_AT="0", FAULT_CALLS=str(calls))
        if ended.returncode != 0:
            raise Broken(f"without faults it exited with {ended.returncode}: {ended.stderr.decode()}")
        self.output = ended.stdout
        self.after = set(bodies(self.home))
        self.probe()
        self.known = knowledge(self.sandbox, self.home)
        return calls.read_text().splitlines()

    def run(self, **variables):
        """Runs the command with the shim preloaded."""
        if self.reads:
            variables["FAULT_READS"] = "1"
        return self.sandbox.run(
            self.home, *self.words, stdin=self.stdin, LD_PRELOAD=self.shim, FAULT_UNDER=f"{self.home}/", **variables)

    def probe(self):
        """Appends two events that cancel each other."""
        self.sandbox.do(self.home, "follow", channel(999))
        self.sandbox.do(self.home, "unfollow", channel(999))

    def faults(self, call):
        """The faults that a call may have."""
        return READ_FAULTS if self.reads else WRITE_FAULTS if call.startswith("write") else FAULTS

    def disturb(self, number, fault):
        """Injects a fault into one call; returns the call, or None if there were fewer calls."""
        self.begin()
        calls = self.sandbox.folder / "calls"
        calls.unlink(missing_ok=True)
        ended = self.run(FAULT_AT=str(number), FAULT=fault, FAULT_CALLS=str(calls))
        made = calls.read_text().splitlines() if calls.exists() else []
        if len(made) < number:
            return None
        call = made[number - 1]
        try:
            self.judge(call, fault, ended)
        except Broken as broken:
            words = ended.stderr.decode(errors="replace").strip()
            raise Broken(
                f"{self.name}: call {number} ({call}) {fault}, exited with {ended.returncode} ({words}): {broken}"
            ) from None
        return call

    def judge(self, call, fault, ended):
        status = ended.returncode
        # `log verify` counts what it cannot read among what is wrong with a log.
        wrong = (74, 65) if self.words[:2] == ("log", "verify") else (74,)
        if status != KILLED and status != 0 and status not in wrong:
            raise Broken("unexpected exit status")
        if status in wrong and not ended.stderr.strip():
            raise Broken("failure without a message")
        kept = re.search(r"/(log|backups)/|standard output|state/(device|poll\.new|poll$)", call)
        # Standard output may be a pipe, which accepts partial writes: the rest is written afterwards.
        failing = [EIO, ENOSPC, EDQUOT, EIO + "+", ENOSPC + "+", "short+"] + ["short"] * ("/" in call)
        if status == 0 and kept and fault in failing and not self.reads:
            raise Broken("the failure went unnoticed")
        # What was read another way, or once more, is no failure.
        if status == 0 and self.reads and ended.stdout != self.output:
            raise Broken("the failure changed the output and went unnoticed")
        said = bodies(self.home)
        found = [FOUND.match(line)[1] for line in said if FOUND.match(line)]
        if not self.rewrites and len(found) != len(set(found)):
            raise Broken("a video was found twice")
        self.expect_kept(set(said), status == 0 or (self.output and ended.stdout == self.output))
        self.go_on(status, set(said))

    def expect_kept(self, said, acknowledged):
        # A compaction drops only superseded events.
        lost = (self.before & self.after if self.rewrites else self.before) - said
        if lost:
            raise Broken(f"lost: {min(lost)[:200]}")
        invented = said - self.before - self.after
        if invented:
            raise Broken(f"never attempted: {min(invented)[:200]}")
        missing = self.after - said
        if acknowledged and missing:
            raise Broken(f"reported as done but missing: {min(missing)[:200]}")

    def go_on(self, status, said):
        """Checks what must work at the next start."""
        self.sandbox.do(self.home, "list")
        if status != 0 and self.words[:2] == ("log", "repair"):
            self.sandbox.do(self.home, *self.words)
        self.probe()
        lost = said - set(bodies(self.home))
        if lost and not self.rewrites:
            raise Broken(f"lost by the next command: {min(lost)[:200]}")
        if status != 0 and not self.once:
            self.sandbox.do(self.home, *self.words, stdin=self.stdin, statuses=(0, 1))
        found = self.sandbox.do(self.home, "log", "verify", statuses=(0, 65) if self.forks else (0,))
        if "damaged" in found:
            raise Broken(f"log verify: {found}")
        if not self.once and knowledge(self.sandbox, self.home) != self.known:
            raise Broken("running the command again does not give the state without faults")


def torn(home):
    """Appends part of a line, as a power cut does."""
    log = next((home / "log").glob("*.jsonl"))
    log.write_bytes(log.read_bytes() + b'{"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"statusSet","act')


def damaged(home):
    """Inserts a broken line in the middle."""
    log = next((home / "log").glob("*.jsonl"))
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:7] + [b'{"v":1,"broken":true}\n'] + lines[7:]))


def shortened(home):
    """Removes a line from the middle, as a repair does."""
    log = next((home / "log").glob("*.jsonl"))
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:7] + lines[8:]))


def history(count):
    """A watch history in the format of Google Takeout."""
    watches = [
        {"header": "YouTube", "title": f"Watched Bell number {n}",
         "titleUrl": f"https://www.youtube.com/watch?v=hist{n:06d}A", "time": "2024-02-03T04:05:06.789Z",
         "products": ["YouTube"]} for n in range(count)]
    return json.dumps(watches).encode()


def scenarios(sandbox):
    """Yields every command in every state of its files."""
    folder = sandbox.folder

    def derived(name, origin, *changes):
        home = folder / name
        if origin:
            shutil.copytree(origin, home)
        for change in changes:
            change(home)
        return home

    def doing(*words, stdin=b""):
        return lambda home: sandbox.do(home, *words, stdin=stdin)

    sandbox.generation(0)
    follower = derived("follower", None, doing("import", "-", stdin=sandbox.ids(80)))
    many = derived("many", None, doing("import", "-", stdin=sandbox.ids(150)))
    polled = derived("polled", follower, doing(*POLL))
    sandbox.generation(40)
    person = derived("person", polled, doing(*POLL))
    videos = sandbox.do(person, "list", "--format", "ids", "--limit", "40").split()
    for words in [("watched", videos[0]), ("save", videos[1]), ("note", videos[2], "A bell"), ("undo",),
                  ("unfollow", sandbox.ids(3).decode().split()[2]), ("skip", *videos[20:40])]:
        sandbox.do(person, *words)
    large = derived("large", many, doing(*POLL), lambda home: sandbox.generation(80), doing(*POLL))
    uncached = derived("uncached", person, lambda home: shutil.rmtree(home / "cache"))
    broken_end, broken = derived("torn", person, torn), derived("damaged", person, damaged)
    broken_large = derived("damaged-large", large, damaged)
    stranger = derived("stranger", None, doing("follow", channel(500), channel(501)))
    forked = derived("forked", polled, doing("follow", channel(502)))
    lacking = derived("lacking", person, shortened, doing("follow", channel(503)))
    listed, watched = folder / "channels.txt", folder / "watch-history.json"
    listed.write_text("".join(channel(number) + "\n" for number in range(100, 400)))
    watched.write_bytes(history(25_000))
    logs = [str(home / "log") for home in (stranger, person, forked)]

    def on(start, name, *words, **options):
        return Scenario(sandbox, name, start, words, **options)

    yield on(None, "first follow", "follow", channel(1))
    yield on(None, "first import", "import", str(listed))
    yield on(None, "first merge", "log", "merge", logs[1])
    yield on(follower, "first poll", *POLL, generation=0)
    yield on(polled, "next poll", *POLL, generation=90)
    yield on(many, "poll of many", *POLL, generation=0)
    yield on(broken_end, "poll on a torn tail", *POLL, generation=90)
    for start, name in [(person, ""), (broken_end, " on a torn tail"), (uncached, " without a read model")]:
        for words in [
            ("watched", *videos[3:6]), ("skip", videos[7]), ("snooze", "2030-01-01", videos[8]),
            ("save", videos[9]), ("progress", videos[10], "1:30"), ("note", videos[11], "Three gears"),
            ("rule", "add", "block", "--contains", "gears"), ("collection", "add", "Evening", videos[12]),
            ("channel", "set", sandbox.ids(1).decode().strip(), "--tag", "tools"),
            ("unfollow", sandbox.ids(1).decode().strip()), ("follow", channel(700)), ("import", str(listed)),
            ("import", str(watched)), ("list",),
        ]:
            once = words[0] in ("rule", "list")
            yield on(start, " ".join(words[:2] if words[0] in ("rule", "collection", "channel") else words[:1]) + name,
                     *words, once=once)
        yield on(start, "undo" + name, "undo", once=True)
        yield on(start, "compact" + name, "log", "compact", rewrites=True)
        yield on(start, "merge of a stranger" + name, "log", "merge", logs[0])
    # The table says when the last poll was.
    listing = ("list", "--format", "jsonl")
    for words in [("watched", *videos[3:6]), ("note", videos[11], "Three gears"), listing, ("log", "verify")]:
        yield on(person, "reading: " + words[0], *words, once=words[0] in ("list", "log"), reads=True)
    yield on(uncached, "reading: list without a read model", *listing, once=True, reads=True)
    yield on(polled, "reading: poll", *POLL, generation=90, reads=True)
    yield on(large, "compact of many", "log", "compact", rewrites=True)
    yield on(polled, "merge of a longer copy", "log", "merge", logs[1], rewrites=True, forks=True)
    yield on(person, "merge of a fork", "log", "merge", logs[2], rewrites=True, forks=True)
    yield on(lacking, "merge of a copy with a line lost here", "log", "merge", logs[1], rewrites=True, forks=True)
    yield on(broken, "repair", "log", "repair", "--yes", rewrites=True)
    yield on(broken_large, "repair of many", "log", "repair", "--yes", rewrites=True)


def sweep(sandbox, part, only):
    points = position = 0
    killed = 0
    for scenario in scenarios(sandbox):
        if only and only not in scenario.name:
            continue
        began, before = time.monotonic(), points
        try:
            calls = scenario.look()
        except Broken as broken:
            raise Broken(f"{scenario.name}: {broken}") from None
        for number, call in enumerate(calls, 1):
            for fault in scenario.faults(call):
                position += 1
                if position % part == 0 and scenario.disturb(number, fault):
                    points += 1
                    killed += fault in ("before", "after", "torn")
        print(f"{points - before:5} points of {len(calls):3} calls: {scenario.name}, "
              f"{time.monotonic() - began:.0f} s", flush=True)
    print(f"{points} fault points, {killed} of them kills: nothing lost, nothing invented")


def main():
    parser = argparse.ArgumentParser(description="Injects faults into every system call that changes the disk.")
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    with Sandbox(300, memory=True) as sandbox:
        sandbox.shim()
        sweep(sandbox, options.part, options.only)


main()
