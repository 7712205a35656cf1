#!/usr/bin/env python3
"""sync.py [VIDEOS=100000] [MARKS=40]: what the exchange of a device with its hub costs.

Prints a first exchange of a generated log in each direction, one after a mark, and what a mark itself costs with a hub,
whose exchange is started when it ends, beside one without."""
import json, os, shutil, subprocess, sys, tempfile, time
from pathlib import Path

root = Path(__file__).resolve().parent.parent
build = root / ".build" / os.environ.get("BUILD", "release")
VIDEOS, MARKS = (int((sys.argv + ["", ""])[place] or usual) for place, usual in ((1, 100_000), (2, 40)))


def peak(pid):
    """Peak memory of a running process, MB."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1000


def busy(pid):
    """CPU seconds of a running process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Device:
    """A home, and the programs that run on it."""

    def __init__(self, folder, url):
        self.folder, self.url = folder, url

    def run(self, *words, hub=True):
        """The output, wall and CPU seconds, and peak memory in MB of a command."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "nobody"), "METUBE_RSS_HOME": str(self.folder)}
        if hub:
            environment["METUBE_RSS_HUB"] = self.url
        began = time.monotonic()
        process = subprocess.Popen(
            [build / "metube-rss", *words], env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        process.returncode = status
        if status:
            sys.exit(f"{words}: status {status}")
        return output, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000

    def sync(self, what, hub):
        before = busy(hub.pid)
        output, wall, cpu, memory = self.run("sync", "--format", "json")
        report = json.loads(output)
        print(f"| {what} | {report['requests']} | {report['traffic']:,} | {wall:.2f} s ({cpu:.2f}, {busy(hub.pid) - before:.2f} CPU) "
              f"| {memory:.0f} MB, {peak(hub.pid):.0f} MB |")


def median(values):
    return sorted(values)[len(values) // 2]


def main():
    work = Path(tempfile.mkdtemp(prefix="metube-sync-"))
    hub = None
    try:
        subprocess.run([build / "bench-log", "make", work / "first", str(VIDEOS), "1000"], check=True, stdout=sys.stderr)
        size = sum(path.stat().st_size for path in (work / "first/log").iterdir())
        for name in ("hub", "second"):
            (work / name).mkdir()
        hub = subprocess.Popen(
            [build / "metube-hub", "serve", "--no-poll", "--listen", "127.0.0.1:0", "--home", work / "hub"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        url = next(word.rstrip("/") for word in hub.stdout.readline().split() if "http" in word)
        first, second = Device(work / "first", url), Device(work / "second", url)
        print(f"{VIDEOS:,} videos, {size / 1e6:.0f} MB of log\n\n"
              "| | requests | bytes | time (CPU: device, hub) | peak memory: device, hub |\n|---|---|---|---|---|")
        first.sync("first exchange, up", hub)
        second.sync("first exchange, down", hub)
        first.sync("nothing new, after the first", hub)
        ids = first.run("list", "--all", "--limit", str(2 * MARKS + 1), "--format", "ids")[0].decode().split()
        first.run("watched", ids.pop(), hub=False)
        first.sync("after a mark", hub)
        first.sync("nothing new", hub)
        costs = {False: [], True: []}
        for number, video in enumerate(ids[: 2 * MARKS]):
            with_hub = number % 2 == 1
            costs[with_hub].append(first.run("watched", video, hub=with_hub)[1:3])
            # The exchange that it started ends before the next one is measured.
            while with_hub and json.loads(first.run("sync", "--format", "json", hub=True)[0])["sent"]:
                pass
        print()
        for with_hub, name in ((False, "without a hub"), (True, "with a hub")):
            wall, cpu = (median([cost[kind] * 1000 for cost in costs[with_hub]]) for kind in (0, 1))
            print(f"a mark {name}: {wall:.2f} ms, {cpu:.2f} ms CPU (medians of {MARKS})")
    finally:
        if hub:
            hub.terminate()
            hub.wait()
        shutil.rmtree(work)


main()
