#!/usr/bin/env python3
"""power-cut.py [--cycles N=100] [--unsynced]: simulates power cuts while programs mark, follow and poll.

The file system is in a file on a loop device: ext4 first, then xfs. In each cycle it is mounted, three programs write
at once, and at a random moment it is shut down without flushing its journal (`xfs_io -x -c shutdown`), which loses all
unsynced data. After remounting, everything reported as done must be there, once, and nothing that was never attempted;
the log must accept another event and be intact. `--unsynced` turns every sync into a no-op and expects a failure, to
prove that a cycle can fail.

Needs root, loop devices, mkfs.ext4, mkfs.xfs and xfs_io (Debian: e2fsprogs, xfsprogs), and a C compiler for
--unsynced. Changes nothing outside a temporary folder.
"""
import argparse, os, random, shutil, subprocess, sys, threading, time

from sandbox import POLL, Broken, Sandbox, channel, lines

CHANNELS = 200


def needed():
    """Names of missing requirements; empty if all are met."""
    missing = [tool for tool in ["mkfs.ext4", "mkfs.xfs", "xfs_io", "losetup"] if not find(tool)]
    if os.geteuid() != 0:
        missing.append("root privileges")
    if not os.path.exists("/dev/loop-control"):
        missing.append("loop devices (/dev/loop-control)")
    return missing


def find(tool):
    return shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


class Disk:
    """A file system of a given type in an image file."""

    def __init__(self, kind, folder):
        self.image, self.place = folder / f"{kind}.image", folder / kind
        with open(self.image, "wb") as image:
            image.truncate(512 << 20)
        self.place.mkdir()
        make = [find("mkfs.ext4"), "-q"] if kind == "ext4" else [find("mkfs.xfs"), "-q"]
        subprocess.run([*make, self.image], check=True)

    def mount(self):
        subprocess.run(["mount", "-o", "loop", self.image, self.place], check=True)

    def cut(self):
        subprocess.run([find("xfs_io"), "-x", "-c", "shutdown", self.place], check=True, capture_output=True)

    def unmount(self):
        for _ in range(100):
            if subprocess.run(["umount", self.place], capture_output=True).returncode == 0:
                return
            time.sleep(0.05)
        raise Broken(f"{self.place}: cannot unmount")


class Person:
    """Marks, follows and polls, and records which events were attempted and which were reported as done."""

    def __init__(self, sandbox, home):
        self.sandbox, self.home = sandbox, home
        self.attempted, self.acknowledged = set(), set()
        self.generation, self.following = 2, 1000
        self.stopped = threading.Event()

    def do(self, *words, stdin=b""):
        return self.sandbox.do(self.home, *words, stdin=stdin)

    def begin(self):
        self.do("import", "-", stdin=self.sandbox.ids(CHANNELS))
        self.do(*POLL)
        self.unmarked = self.do("list", "--all", "--shorts", "show", "--limit", "0", "--format", "ids").split()

    def attempt(self, events, *words):
        self.attempted |= events
        if self.sandbox.run(self.home, *words).returncode == 0:
            self.acknowledged |= events

    def mark(self):
        while not self.stopped.is_set() and self.unmarked:
            video = self.unmarked.pop()
            self.attempt({("statusSet", video)}, "watched", video)

    def follow(self):
        while not self.stopped.is_set():
            self.following += 1
            followed = channel(self.following)
            self.attempt({("channelFollowed", followed)}, "follow", followed)
            if self.following % 9 == 0:
                self.sandbox.run(self.home, "log", "compact")

    def poll(self):
        while not self.stopped.is_set():
            self.generation += 7
            self.sandbox.generation(self.generation)
            before = found(self.home)
            if self.sandbox.run(self.home, *POLL).returncode in (0, 1):
                self.acknowledged |= found(self.home) - before

    def write_until(self, disk, seconds):
        """Runs all writers at once, and cuts the power after the given number of seconds."""
        self.stopped.clear()
        workers = [threading.Thread(target=work) for work in (self.mark, self.follow, self.poll)]
        for worker in workers:
            worker.start()
        time.sleep(seconds)
        disk.cut()
        self.stopped.set()
        for worker in workers:
            worker.join()


def found(home):
    try:
        return {("videoFound", line["video"]) for line in lines(home) if line.get("kind") == "videoFound"}
    except OSError:
        return set()


def judge(person):
    """Checks what must hold after a cut."""
    person.do("list")
    said = [(line["kind"], line.get("video") or line.get("subscription")) for line in lines(person.home)
            if line.get("kind") in ("statusSet", "channelFollowed", "videoFound")]
    lost = person.acknowledged - set(said)
    if lost:
        raise Broken(f"{len(lost)} events reported as done are lost: {min(lost)}")
    if len(said) != len(set(said)):
        raise Broken("duplicate event")
    invented = {event for event in said if event[0] == "statusSet"} - person.attempted
    if invented:
        raise Broken(f"never attempted: {min(invented)}")
    person.following += 1
    person.do("follow", channel(person.following))
    person.do("log", "verify")


def sweep(sandbox, kind, cycles):
    disk = Disk(kind, sandbox.folder)
    disk.mount()
    person = Person(sandbox, disk.place / "home")
    try:
        person.begin()
        for cycle in range(cycles):
            person.write_until(disk, random.uniform(0.05, 1.5))
            disk.unmount()
            disk.mount()
            try:
                judge(person)
            except Broken as broken:
                raise Broken(f"{kind}, cycle {cycle + 1}: {broken}") from None
        torn = len(list((person.home / "log").glob("*.torn-*")))
        print(f"{kind}: {cycles} cuts, {len(person.acknowledged)} events reported as done, all present; "
              f"{torn} torn tails moved aside", flush=True)
    finally:
        disk.unmount()


def main():
    parser = argparse.ArgumentParser(description="Simulates power cuts of a file system while programs write.")
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--unsynced", action="store_true")
    options = parser.parse_args()
    if missing := needed():
        sys.exit(f"power-cut: missing: {', '.join(missing)}")
    with Sandbox(CHANNELS) as sandbox:
        if options.unsynced:
            sandbox.environment |= {"LD_PRELOAD": sandbox.shim(), "FAULT": "unsynced"}
        for kind in ["ext4", "xfs"]:
            try:
                sweep(sandbox, kind, options.cycles)
            except Broken as broken:
                if not options.unsynced:
                    sys.exit(f"power-cut: {broken}")
                print(f"without syncs, as expected: {broken}")
            else:
                if options.unsynced:
                    sys.exit(f"power-cut: {kind}: missing syncs were not detected")


main()
