#!/usr/bin/env python3
"""power-cut.py [--cycles N=100] [--unsynced]: cuts the power of a file system while programs mark, follow and poll.

The file system lies in a file, on a loop device: ext4 first, then xfs. In each cycle it is mounted, three programs write
at once, and at a random moment it is shut down without its journal being written (`xfs_io -x -c shutdown`): what no
sync brought to the disk is gone. Mounted again, all that was told as done must be there, once, and nothing else than
what was attempted; the log must take another event and be whole. `--unsynced` makes every sync do nothing, and expects
that to be noticed: the proof that a cycle can fail.

Needs root, loop devices, mkfs.ext4, mkfs.xfs and xfs_io (Debian: e2fsprogs, xfsprogs), and a C compiler for
--unsynced. Nothing outside a temporary folder is touched.
"""
import argparse, os, random, shutil, subprocess, sys, threading, time

from sandbox import POLL, Broken, Sandbox, channel, lines

CHANNELS = 200


def needed():
    """What is missing for this, in words; none where all is there."""
    missing = [tool for tool in ["mkfs.ext4", "mkfs.xfs", "xfs_io", "losetup"] if not find(tool)]
    if os.geteuid() != 0:
        missing.append("the rights of root")
    if not os.path.exists("/dev/loop-control"):
        missing.append("loop devices (/dev/loop-control)")
    return missing


def find(tool):
    return shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


class Disk:
    """A file system of a kind in a file."""

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
        raise Broken(f"{self.place} cannot be unmounted")


class Person:
    """One who marks, follows and polls, and remembers what was attempted and what was told as done."""

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
        """Does all of it at once, and cuts the power after so many seconds."""
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
    """What must hold after a cut."""
    person.do("list")
    said = [(line["kind"], line.get("video") or line.get("subscription")) for line in lines(person.home)
            if line.get("kind") in ("statusSet", "channelFollowed", "videoFound")]
    lost = person.acknowledged - set(said)
    if lost:
        raise Broken(f"{len(lost)} told as done are lost: {min(lost)}")
    if len(said) != len(set(said)):
        raise Broken("an event is there twice")
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
        print(f"{kind}: {cycles} cuts, {len(person.acknowledged)} events told as done, all there; "
              f"{torn} unfinished ends moved aside", flush=True)
    finally:
        disk.unmount()


def main():
    parser = argparse.ArgumentParser(description="Cuts the power of a file system while programs write.")
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--unsynced", action="store_true")
    options = parser.parse_args()
    if missing := needed():
        sys.exit(f"power-cut: missing here: {', '.join(missing)}")
    with Sandbox(CHANNELS) as sandbox:
        if options.unsynced:
            sandbox.environment |= {"LD_PRELOAD": sandbox.shim(), "FAULT": "unsynced"}
        for kind in ["ext4", "xfs"]:
            try:
                sweep(sandbox, kind, options.cycles)
            except Broken as broken:
                if not options.unsynced:
                    sys.exit(f"power-cut: {broken}")
                print(f"without syncs, as it must: {broken}")
            else:
                if options.unsynced:
                    sys.exit(f"power-cut: {kind}: that nothing was synced went unnoticed")


main()
