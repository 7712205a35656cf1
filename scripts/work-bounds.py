#!/usr/bin/env python3
"""work-bounds.py [--update] [--only TEXT] [--repeat N]: measures the work of common actions and compares it with
scripts/work-bounds.txt, so that no change makes one slower unnoticed, however fast or busy the machine is.

The work is the number of instructions (valgrind's cachegrind) and of system calls on files (strace) of the release programs,
on fixed input: 200 channels of the fixture server, or an invented log of 20,000 videos. Of a page of the hub it is the mean of
requests with different queries, which no answer kept from before serves.

A count above its bound fails, and so does one that is below it by more than the tolerance: then the bound is lowered with
`--update`, which writes what was measured. `--repeat` measures so often and prints the spread. Installs valgrind and strace
from Debian if missing.
"""
import argparse, http.client, os, re, shutil, signal, subprocess, sys, time
from pathlib import Path

from sandbox import Broken, Sandbox, build, hub_program, program, root

FEEDS, VIDEOS, CHANNELS = 200, 20_000, 200
TABLE = root / "scripts/work-bounds.txt"
# One request at a time: with several, what arrives together depends on the moment.
POLL = ("poll", "--rate", "0", "--jobs", "1", "--force", "--quiet")
FIRST_REQUESTS, MORE_REQUESTS = 5, 20
FILE_CALLS = (
    "access,creat,faccessat,faccessat2,fallocate,fchmod,fcntl,fdatasync,flock,fstat,fsync,ftruncate,getdents64,link,lseek,"
    "lstat,mkdir,mkdirat,mmap,newfstatat,open,openat,pread64,preadv,pwrite64,pwritev,read,readlink,readlinkat,readv,"
    "rename,renameat,renameat2,rmdir,stat,statx,unlink,unlinkat,write,writev")


class Bound:
    """A line of the table: `CASE UNIT COUNT PERCENT%`, and after `#` why it may vary so much."""

    def __init__(self, line):
        self.line = line
        words, _, self.reason = line.partition("#")
        self.case, self.unit, count, tolerance = words.split()
        self.count, self.tolerance = int(count.replace("_", "")), float(tolerance.rstrip("%"))

    def judge(self, measured):
        """What is wrong with a measured count; None if nothing."""
        share = 100 * (measured / self.count - 1)
        if abs(measured - self.count) * 100 <= self.tolerance * self.count:
            return None
        what = (f"{self.case}: {measured:,} {self.unit}, {abs(share):.1f} % {'above' if share > 0 else 'below'} the bound of"
                f" {self.count:,} (±{self.tolerance:g} %)")
        return what + ("; find what costs more, or raise the bound with a reason:" if share > 0 else "; lower the bound:") + (
            f" scripts/work-bounds.py --only {self.case} --update")

    def updated(self, measured):
        return f"{self.case:<22} {self.unit:<13} {measured:>15_} {self.tolerance:>4g}%  # {self.reason.strip()}"


def read_table():
    return [Bound(line) if line.strip() and line[0] != "#" else line for line in TABLE.read_text().splitlines()]


def counting(unit, report):
    """The words that run a program so that its count is in a report at its end."""
    if unit == "instructions":
        return ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={report}"]
    return ["strace", "-f", "-c", "-U", "calls,name", "-e", f"trace={FILE_CALLS}", "-o", report]


def count_in(unit, report):
    text = report.read_text(errors="replace")
    match = re.search(r"I\s+refs:\s+([\d,]+)" if unit == "instructions" else r"^\s*([\d,]+)\s+total$", text, re.M)
    if not match:
        raise Broken(f"no count of {unit}: {text[-2000:]}")
    return int(match[1].replace(",", ""))


class Work:
    """The cases, each measured in both units on files of its own."""

    def __init__(self, sandbox):
        self.sandbox = sandbox
        # Hashes begin with a random number otherwise.
        self.environment = sandbox.environment | {"SWIFT_DETERMINISTIC_HASHING": "1"}
        self.prepared = {}
        # As they are installed. Valgrind 3.19 cannot read the debug information of Swift, which is DWARF 5.
        self.program, self.hub_program = map(self.stripped, (program, hub_program))

    def stripped(self, program):
        copy = self.sandbox.folder / Path(program).name
        subprocess.run(["strip", "-o", copy, program], check=True)
        return copy

    def home(self, name):
        """A copy of prepared files."""
        if name not in self.prepared:
            self.prepared[name] = self.sandbox.folder / f"prepared-{name}"
            getattr(self, "prepare_" + name)(self.prepared[name])
        copy = self.sandbox.folder / "home"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.prepared[name], copy, symlinks=True)
        return copy

    def prepare_followed(self, home):
        self.sandbox.generation(1)
        self.sandbox.do(home, "import", "-", stdin=self.sandbox.ids(FEEDS))

    def prepare_polled(self, home):
        self.prepare_followed(home)
        self.sandbox.do(home, *POLL)

    def prepare_videos(self, home):
        subprocess.run([build / "bench-log", "make", home, str(VIDEOS), str(CHANNELS)], check=True)
        self.sandbox.do(home, "list")
        # Makes the index of descriptions.
        self.sandbox.do(home, "list", "--search", "baku")

    def run(self, unit, files, *words):
        """Runs the program to its end on a copy of files; returns its count."""
        report = self.sandbox.folder / f"{unit}.report"
        ended = subprocess.run(
            [*counting(unit, report), self.program, *words, "--home", self.home(files)], env=self.environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800)
        if ended.returncode:
            raise Broken(f"{' '.join(words)} exited with {ended.returncode} when {unit} were counted: {ended.stderr[-2000:]}")
        return count_in(unit, report)

    def first_poll(self, unit):
        return self.run(unit, "followed", *POLL)

    def poll_nothing_new(self, unit):
        return self.run(unit, "polled", *POLL)

    def poll_new_videos(self, unit):
        self.home("polled")
        # Each channel changes its counts of views, and one in a hundred has a new video.
        self.sandbox.generation(2)
        try:
            return self.run(unit, "polled", *POLL)
        finally:
            self.sandbox.generation(1)

    def version(self, unit):
        return self.run(unit, "videos", "--version")

    def list(self, unit):
        return self.run(unit, "videos", "list")

    def list_search(self, unit):
        return self.run(unit, "videos", "list", "--all", "--search", "lobanö tupe")

    def mark(self, unit):
        video = self.sandbox.do(self.home("videos"), "list", "--format", "ids", "--limit", "1").strip()
        return self.run(unit, "videos", "watched", video)

    def page(self, unit):
        return self.requests(unit, "/?since={}")

    def api_videos(self, unit):
        return self.requests(unit, "/api/v1/videos?limit=50&since={}")

    def requests(self, unit, path):
        """The mean of requests to a hub: a run with more of them less one with a few."""
        few, more = (self.serve(unit, path, count) for count in (FIRST_REQUESTS, FIRST_REQUESTS + MORE_REQUESTS))
        return (more - few) // MORE_REQUESTS

    def serve(self, unit, path, count):
        report = self.sandbox.folder / f"{unit}.report"
        hub = subprocess.Popen(
            [*counting(unit, report), self.hub_program, "serve", "--home", self.home("videos"), "--no-poll",
             "--listen", "127.0.0.1:0"], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        try:
            line = hub.stdout.readline()
            if not (match := re.search(r"127\.0\.0\.1:(\d+)", line)):
                raise Broken(f"the hub did not start: {line}{hub.stderr.read()}")
            connection = http.client.HTTPConnection("127.0.0.1", int(match[1]), timeout=600)
            for number in range(count):
                # Before all videos, so that each query selects the same.
                url = path.format(f"2019-{1 + number // 28:02}-{1 + number % 28:02}")
                connection.request("GET", url)
                response = connection.getresponse()
                body = response.read()
                if response.status != 200:
                    raise Broken(f"{url}: {response.status} {body[:200]}")
            connection.close()
            self.stop(hub)
        finally:
            if hub.poll() is None:
                self.signal(hub, signal.SIGKILL)
                hub.kill()
                hub.wait()
        return count_in(unit, report)

    def stop(self, hub):
        """Lets the hub end by itself."""
        self.signal(hub, signal.SIGTERM)
        hub.stdout.close()
        hub.stderr.close()
        hub.wait(600)

    @staticmethod
    def signal(hub, number):
        """Sends a signal to the hub, which is a child of strace, but valgrind's own process."""
        children = Path(f"/proc/{hub.pid}/task/{hub.pid}/children").read_text().split()
        os.kill(int(children[0]) if children else hub.pid, number)


def install():
    missing = [name for name in ("valgrind", "strace") if not shutil.which(name)]
    if missing and (os.geteuid() or not shutil.which("apt-get")):
        sys.exit(f"work-bounds: install {' and '.join(missing)} first")
    if missing:
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update", "-qq"], ["install", "-y", "-qq", *missing]):
            if subprocess.run(["apt-get", *words], env=environment, stdout=subprocess.DEVNULL).returncode:
                sys.exit(f"work-bounds: apt-get cannot install {' and '.join(missing)}")


def traces():
    """Whether this machine lets strace follow a program; some containers do not."""
    run = subprocess.run(["strace", "-f", "-c", "-o", "/dev/null", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return run.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--update", action="store_true", help="write what was measured as the bounds")
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases whose names contain it")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="measure so often")
    options = parser.parse_args()
    install()
    table, problems, can_trace = read_table(), [], traces()
    if not can_trace:
        print("strace cannot follow programs on this machine: system calls are not counted")
    with Sandbox(FEEDS) as box:
        work = Work(box)
        for index, bound in enumerate(table):
            if isinstance(bound, str) or options.only not in bound.case or bound.unit == "calls" and not can_trace:
                continue
            began = time.monotonic()
            counts = [getattr(work, bound.case.replace("-", "_"))(bound.unit) for _ in range(options.repeat)]
            count, problem = counts[0], bound.judge(max(counts, key=lambda each: abs(each - bound.count)))
            spread = f", {min(counts):,} to {max(counts):,}" if options.repeat > 1 else ""
            print(f"{bound.case}: {count:,} {bound.unit}, bound {bound.count:,} ±{bound.tolerance:g} %{spread},"
                  f" {time.monotonic() - began:.0f} s", flush=True)
            if options.update:
                table[index] = bound.updated(count)
            elif problem:
                problems.append(problem)
    if options.update:
        TABLE.write_text("\n".join(each.line if isinstance(each, Bound) else each for each in table) + "\n")
    for problem in problems:
        print(f"work-bounds: {problem}", file=sys.stderr)
    if problems:
        sys.exit(1)


if __name__ == "__main__":
    main()
