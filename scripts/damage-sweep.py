#!/usr/bin/env python3
"""damage-sweep.py [--home] [--part N] [--first N] [--only TEXT]: flips one bit of a line, of every line of every file of two
devices and their hub, and lets them exchange lines in quiet rounds. With --home the hub is that of one home, without users.

Afterwards all sides must have the same lines, or whoever exchanges must say why not: with a status that is not 0, the
file, its line, the side, and the command that mends it. That command is then run, and after it everything must be equal,
intact and quiet. No line may be lost but the one that was damaged, and none may change.
"""
import argparse, os, re, shutil, subprocess, time
from pathlib import Path

from sandbox import POLL, Broken, Hub, Sandbox

CHANNELS = 2
ROUNDS = 2


def log_lines(home, folder="log"):
    """The lines of a home's logs without their first ones, as bytes, by log."""
    logs = {}
    for log in sorted((home / folder).glob("*.jsonl")):
        logs[log.name] = {line for line in log.read_bytes().split(b"\n") if line and b'"kind":"logStarted"' not in line}
    return logs


def all_lines(home, folder="log"):
    return set().union(*log_lines(home, folder).values())


class Device:
    def __init__(self, world, name, token):
        self.world, self.name, self.home, self.token = world, name, world.live / name, token

    def run(self, *words, **variables):
        """Runs a command that knows of no hub, and so exchanges nothing in the background."""
        ended = self.world.sandbox.run(self.home, *words, **variables)
        if ended.returncode < 0 or ended.returncode > 128 or b"Fatal error" in ended.stderr:
            raise Broken(f"{self.name}: {' '.join(words)} crashed: {ended.stderr.decode(errors='replace')}")
        return ended.returncode, ended.stdout.decode(), ended.stderr.decode(errors="replace")

    def sync(self):
        token = {"METUBE_RSS_HUB_TOKEN": self.token} if self.token else {}
        return self.run(
            "sync", "--retries", "0", METUBE_RSS_HUB=f"http://127.0.0.1:{self.world.hub.port}", **token)


class HomeHub(Hub):
    """A hub of one home, which has no users."""

    def __init__(self, sandbox, home):
        super().__init__(sandbox, home)
        self.where = ("--home", str(home))

    def take_follows(self, user, count):
        self.ask(user, "POST", "/api/v1/poll")

    def ask(self, user, method, path, body=None, connection=None, token=None):
        self.tokens = {user: "none"}
        return super().ask(user, method, path, body, connection, token)


class World:
    """A hub with a user of two devices, and a copy of all files to begin again with."""

    def __init__(self, sandbox, is_home=False):
        self.is_home = is_home
        self.sandbox, self.live, self.kept = sandbox, sandbox.folder / "live", sandbox.folder / "kept"
        self.live.mkdir()
        self.hub = (HomeHub if is_home else Hub)(sandbox, self.live / "hub")
        self.users = ("ann",) if is_home else ("ann", "bob")
        for user in () if is_home else self.users:
            self.hub.add(user)
        self.devices = [
            Device(self, name, None if is_home else self.hub.renew("ann")) for name in ("first", "second")]
        self.hub.start("--no-poll")
        self.fill()
        self.hub.end()
        shutil.copytree(self.live, self.kept, symlinks=True)

    def fill(self):
        ids = self.sandbox.ids(CHANNELS).decode().split()
        for user in self.users:
            self.expect(200, self.hub.ask(user, "POST", "/api/v1/channels", {"channels": ids}))
        self.hub.take_follows("ann", CHANNELS)
        for _ in range(500):
            if len(self.hub.videos("ann")) >= 8:
                break
            time.sleep(0.02)
        videos = [video["video"] for video in self.hub.videos("ann")]
        for device in self.devices:
            self.must(device)
            for number in range(4):
                status, _, errors = device.run("note", videos[number], f"{device.name} {number}")
                if status:
                    raise Broken(errors)
        for number in range(4):
            body = {"marks": [{"video": videos[number], "saved": True}]}
            self.expect(200, self.hub.ask("ann", "POST", "/api/v1/marks", body))
        for device in self.devices * ROUNDS:
            self.must(device)
        # What only one side has is lost with it.
        for device in self.devices:
            status, _, errors = device.run("note", videos[5], f"{device.name}, not sent")
            if status:
                raise Broken(errors)
        self.expect(200, self.hub.ask("ann", "POST", "/api/v1/marks", {"marks": [{"video": videos[6], "saved": True}]}))

    @staticmethod
    def expect(status, answer):
        if answer[0] != status:
            raise Broken(f"the hub answered {answer}")

    @staticmethod
    def must(device):
        status, text, errors = device.sync()
        if status:
            raise Broken(f"{device.name}: sync exited with {status}: {errors}")
        return text

    def begin_again(self):
        shutil.rmtree(self.live)
        shutil.copytree(self.kept, self.live, symlinks=True)

    def sides(self):
        """What each side has for Ann."""
        hub = self.live / "hub"
        devices = {device.name: all_lines(device.home) for device in self.devices}
        if self.is_home:
            return {**devices, "the hub": all_lines(hub)}
        catalogue = all_lines(hub / "catalogue") & self.seen
        return {**devices, "the hub": all_lines(hub / "users/ann") | catalogue}

    def remember(self):
        """Takes what the sides have as what they should."""
        self.seen = all_lines(self.live / "hub/users/ann/state/feeds")
        sides = self.sides()
        self.whole = set().union(*sides.values())
        self.bob = all_lines(self.live / "hub/users/bob")
        self.catalogue = all_lines(self.live / "hub/catalogue")
        for side, lines in sides.items():
            print(f"{side}: {len(lines)} of {len(self.whole)} lines")

    def targets(self):
        """Every file with lines, and how many."""
        for path in sorted(self.kept.rglob("*")):
            name = str(path.relative_to(self.kept))
            if not path.is_file() or path.is_symlink() or "/cache/" in name or path.stat().st_size == 0:
                continue
            data = path.read_bytes()
            if b"\0" in data or not data.startswith(b"{"):
                continue  # A database, a lock.
            yield name, data.count(b"\n")


class Case:
    def __init__(self, world, name, line):
        self.world, self.name, self.line = world, name, line

    def damage(self):
        path = self.world.live / self.name
        status = path.stat()
        lines = path.read_bytes().split(b"\n")
        self.original = lines[self.line - 1]
        damaged = bytearray(self.original)
        place = (7 * self.line) % len(damaged)
        damaged[place] ^= 1
        if damaged[place] in b"\n":
            damaged[place] ^= 3
        lines[self.line - 1] = bytes(damaged)
        with open(path, "r+b") as file:
            file.write(b"\n".join(lines))
        # Rotting bits leave no trace.
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def rounds(self):
        """Exchanges in quiet rounds; returns the last outcome of each device."""
        outcomes = {}
        for _ in range(ROUNDS):
            for device in self.world.devices:
                outcomes[device.name] = device.sync()
        return outcomes

    def differences(self, lost=frozenset()):
        """What sides lack or have too much, in words, but for lines that may be lost everywhere."""
        words = []
        for side, lines in self.world.sides().items():
            for line in (self.world.whole - lines) - lost:
                words.append(f"{side} lacks {line[:120]}")
            for line in lines - self.world.whole:
                words.append(f"{side} has {line[:120]}")
        if all_lines(self.world.live / "hub/users/bob") - self.world.bob:
            words.append("another user's logs grew")
        return words

    def run(self):
        """Returns how it went: mended, said, or harmless."""
        world = self.world
        world.begin_again()
        self.damage()
        world.hub.start("--no-poll")
        try:
            return self.judge()
        finally:
            world.hub.end()

    def judge(self):
        world = self.world
        if self.name.startswith("hub/users/bob/log"):
            return self.judge_other()
        outcomes = self.rounds()
        differences = self.differences()
        if not differences and not any(status for status, _, _ in outcomes.values()):
            self.quiet(outcomes)
            return "mended"
        self.must_say(outcomes, differences)
        for command in self.commands(outcomes):
            command()
        outcomes = self.rounds()
        lost = frozenset([self.original])
        if differences := self.differences(lost):
            raise Broken(f"{self}: after the repair {differences[0]}")
        sides = list(world.sides().values())
        if any(side != sides[0] for side in sides):
            raise Broken(f"{self}: after the repair the sides differ")
        self.quiet(outcomes)
        return "repaired"

    def judge_other(self):
        """Damage of another user's log is no matter of these devices; the hub says it."""
        world = self.world
        outcomes = self.rounds()
        if any(status for status, _, _ in outcomes.values()):
            raise Broken(f"{self}: another user's devices say it: {outcomes}")
        for _ in range(200):
            if world.hub.health() == 503:
                break
            time.sleep(0.02)
        else:
            raise Broken(f"{self}: the hub's health is good")
        world.hub.do("log", "repair", "bob", "--yes")
        outcomes = self.rounds()
        if differences := self.differences():
            raise Broken(f"{self}: after the repair {differences[0]}")
        self.quiet(outcomes)
        return "repaired"

    def must_say(self, outcomes, differences):
        """The damaged device says why sides differ, or if the hub is damaged all devices that exchange with it."""
        for device in self.world.devices:
            if self.name.split("/")[0] not in ("hub", device.name):
                continue
            status, _, errors = outcomes[device.name]
            if status == 0:
                raise Broken(f"{self}: {device.name} says nothing: {differences[0]}")
            # A line that nobody can attribute, such as one of a file without its beginning, has no number.
            file = Path(self.name).name
            if file.removesuffix(".jsonl") not in errors or "on the hub" not in errors and "on this device" not in errors:
                raise Broken(f"{self}: {device.name} does not name the file or the side: {errors}")
            if f"line {self.line}" not in errors and f":{self.line} " not in errors:
                raise Broken(f"{self}: {device.name} does not name the line: {errors}")
            if "log repair" not in errors:
                raise Broken(f"{self}: {device.name} does not say what to do: {errors}")

    def commands(self, outcomes):
        """What the messages name."""
        hub = set()
        for device in self.world.devices:
            errors = outcomes[device.name][2]
            if "metube-rss log repair" in errors:
                yield lambda device=device: self.repair(device)
            for owner in re.findall(r"metube-hub log repair( --all| [a-z]+|)", errors):
                hub.add(owner.strip())
        for owner in sorted(hub):
            yield lambda owner=owner: self.world.hub.do("log", "repair", *filter(None, [owner]), "--yes")

    def repair(self, device):
        status, text, errors = device.run("log", "repair", "--yes")
        if status:
            raise Broken(f"{self}: {device.name}: log repair exited with {status}: {errors}")

    def quiet(self, outcomes):
        """Everything is intact, and nothing is exchanged any more."""
        for device in self.world.devices:
            status, text, errors = device.sync()
            if status or "nothing new on either side" not in text:
                raise Broken(f"{self}: {device.name} is not quiet: {status} {text}{errors}")
            status, text, errors = device.run("log", "verify")
            if status:
                raise Broken(f"{self}: {device.name}: log verify exited with {status}: {errors}")
        self.world.hub.do("log", "verify", "--all")
        status, _ = self.world.hub.ask(
            "ann", "POST", "/api/v1/rules", {"verdict": "block", "contains": "damage"})
        if status != 201:
            raise Broken(f"{self}: the hub takes no change: {status}")

    def __str__(self):
        return f"{self.name}, line {self.line}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", action="store_true", help="take a hub of one home")
    parser.add_argument("--part", type=int, default=1, metavar="N", help="take every N-th line [1]")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with the N-th of them [0]")
    parser.add_argument("--only", default="", metavar="TEXT", help="take files whose names contain it")
    parser.add_argument("--go-on", action="store_true", help="report every failure instead of ending with the first")
    options = parser.parse_args()
    with Sandbox(CHANNELS) as sandbox:
        world = World(sandbox, options.home)
        world.remember()
        cases = [(name, line) for name, count in world.targets() for line in range(1, count + 1) if options.only in name]
        chosen = cases[options.first % options.part::options.part]
        began, results, failures = time.monotonic(), {}, []
        for name, line in chosen:
            try:
                result = Case(world, name, line).run()
            except Broken as broken:
                if not options.go_on:
                    raise
                failures.append(broken)
                print(broken, flush=True)
                continue
            results[result] = results.get(result, 0) + 1
        words = ", ".join(f"{count} {result}" for result, count in sorted(results.items()))
        print(f"damage-sweep: {len(chosen)} of {len(cases)} lines in {time.monotonic() - began:.0f} s: {words}")
        if failures:
            raise Broken(f"{len(failures)} failures")


if __name__ == "__main__":
    main()
