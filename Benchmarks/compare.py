#!/usr/bin/env python3
"""compare.py PROGRAM BASE [--videos N] [--turns N] [--bench-log PATH] [--server PATH] [ROW]...

Measures commands of two builds of metube-rss beside each other, in alternating turns, on logs of N videos (100,000) with
the log of a second device, and prints a Markdown table: median CPU time and wall time of whole processes, peak memory, and
the ratio of the medians. ROW limits the table to rows whose names contain it. Writes only to .bench/compare-*; the two
homes of 100,000 videos take 0.8 GB."""
import argparse, os, pathlib, re, shutil, statistics, subprocess, sys, time, urllib.request

root = pathlib.Path(__file__).resolve().parent.parent
arguments = argparse.ArgumentParser(usage=__doc__)
arguments.add_argument("programs", nargs=2)
arguments.add_argument("--videos", type=int, default=100_000)
arguments.add_argument("--turns", type=int, default=11)
arguments.add_argument("--bench-log", default=root / ".build/release/bench-log")
arguments.add_argument("--server", default=root / ".build/release/fixture-server")
arguments.add_argument("rows", nargs="*")
options = arguments.parse_intermixed_args()

environment = {name: value for name, value in os.environ.items() if not name.startswith("METUBE_RSS_")}
environment |= {"TZ": "UTC", "no_proxy": "127.0.0.1", "LC_ALL": "C.UTF-8"}
work = root / ".bench"
homes = [work / f"compare-{options.videos}-{side}" for side in ("new", "base")]
channels = 1000  # polled, from a server on this machine
jobs = 100


def installed(side, program):
    """A copy of a program. As the linker left it, its pages lie singly in memory, and it may take a tenth longer to start
    than one that was copied or installed."""
    copy = work / f"compare-program-{side}"
    shutil.copy(program, copy)
    return str(copy)


def output(side, *command, home=None):
    home = home or homes[side]
    return subprocess.run([options.programs[side], *command, "--home", home], env=environment, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def measure(side, *command, home=None):
    """CPU seconds, wall seconds and peak memory in KB of one process."""
    home = home or homes[side]
    process = [options.programs[side], *map(str, command), "--home", str(home)]
    null = os.open(os.devnull, os.O_RDWR)
    start = time.monotonic()
    pid = os.posix_spawn(process[0], process, environment,
                         file_actions=[(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)])
    _, status, used = os.wait4(pid, 0)
    wall = time.monotonic() - start
    os.close(null)
    if status:
        sys.exit(f"compare: {' '.join(process)}: status {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, wall, used.ru_maxrss


def row(name, samples):
    """Prints a row of [new, base] lists of samples."""
    (cpu, wall, memory), (base_cpu, base_wall, base_memory) = (
        [statistics.median(column) for column in zip(*side)] for side in samples)
    print(f"| {name} | {cpu * 1e3:.1f} | {base_cpu * 1e3:.1f} | **{cpu / base_cpu:.2f}** | {wall * 1e3:.1f} | "
          f"{base_wall * 1e3:.1f} | {wall / base_wall:.2f} | {memory / 1024:.0f} | {base_memory / 1024:.0f} |", flush=True)


def wanted(name):
    return not options.rows or any(part in name for part in options.rows)


def compare(name, *command, turns=None, before=None, after=None):
    """A row of one command; `before` and `after` run outside the measurement, with the side."""
    if not wanted(name):
        return
    samples = [[], []]
    for turn in range((turns or options.turns) + (0 if before else 1)):
        for side in (0, 1) if turn % 2 else (1, 0):
            if before:
                before(side)
            sample = measure(side, *command)
            if after:
                after(side)
            if turn or before:  # The first run of a command warms the caches.
                samples[side].append(sample)
    row(name, samples)


def make_homes():
    marker = homes[0] / "complete"
    if marker.exists():
        return
    for home in homes:
        shutil.rmtree(home, ignore_errors=True)
    subprocess.run([options.bench_log, "make", homes[0], str(options.videos), "500"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, root / "Benchmarks/second-device.py", homes[0]], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(homes[0] / "cache", ignore_errors=True)
    shutil.copytree(homes[0], homes[1])
    marker.touch()


def forget(side):
    shutil.rmtree(homes[side] / "cache", ignore_errors=True)


def forget_and_list(side):
    forget(side)
    output(side, "list")


def marks():
    if not wanted("watched") and not wanted("undo"):
        return
    video = videos[1]
    samples = {name: [[], []] for name in ("watched", "undo")}
    for turn in range(options.turns + 1):
        for side in (0, 1):
            for name, command in (("watched", ("watched", video)), ("undo", ("undo",))):
                sample = measure(side, *command)
                if turn:
                    samples[name][side].append(sample)
    for name in samples:
        row(f"`{name}`", samples[name])


def rules(name, words):
    if not wanted(name):
        return
    for side in (0, 1):
        for word in words:
            output(side, "rule", "add", "block", *word)
    compare(name, "list")
    for side in (0, 1):
        for _ in words:
            output(side, "undo")


def polls():
    if not wanted("poll"):
        return
    port = work / "compare-port"
    port.unlink(missing_ok=True)
    server = subprocess.Popen([options.server, "--generate", str(channels), "--port-file", port, "--exit-after", "600"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not (port.exists() and port.read_text()):
            time.sleep(0.05)
        address = f"http://127.0.0.1:{port.read_text().strip()}"
        environment["METUBE_RSS_FEEDS_URL"] = address
        subscriptions = work / "compare-channels.csv"
        subscriptions.write_bytes(subprocess.run([options.server, "--list-csv", str(channels)], check=True,
                                                 stdout=subprocess.PIPE).stdout)
        command = ("poll", "--rate", "0", "--force", "--jobs", str(jobs), "--quiet")
        first, again, generation = [[], []], [[], []], 0
        for turn in range(options.turns):
            for side in (0, 1) if turn % 2 else (1, 0):
                home = work / "compare-poll"
                shutil.rmtree(home, ignore_errors=True)
                output(side, "import", subscriptions, home=home)
                first[side].append(measure(side, *command, home=home))
                # Only view counts change, as on YouTube.
                generation = 1 - generation
                urllib.request.urlopen(f"{address}/__generation?n={generation}").read()
                again[side].append(measure(side, *command, home=home))
        row(f"poll of {channels}, first", first)
        row(f"poll of {channels}, nothing new", again)
    finally:
        server.terminate()
        server.wait()


work.mkdir(exist_ok=True)
options.programs = [installed(side, program) for side, program in zip(("new", "base"), options.programs)]
print(f"| {options.videos:,} videos | CPU ms | base | ratio | wall ms | base | ratio | MB | base |")
print("|---|---|---|---|---|---|---|---|---|")
if not options.rows or options.rows != ["poll"]:
    make_homes()
    for side in (0, 1):
        output(side, "list", "--search", "baku")
    urls = output(1, "list", "--limit", "5", "--format", "urls").split()
    videos = [url.split("v=")[1] for url in urls]
    # A word of a title is in 0.4 % of the titles and 15 % of the descriptions.
    title_words = [word for word in output(1, "list", "--format", "tsv").split() if len(word) == 6 and word.isascii() and word.isalpha()]
    # Each description ends with addresses that no other has.
    rare = next(word for video in videos for word in re.findall(r"example\.org/(\w{11})", output(1, "show", video)) if word.isalnum())
    channel = output(1, "channels", "--format", "ids").split()[7]
    compare("`list`", "list")
    compare("`list --channel`", "list", "--channel", channel)
    compare("`channels`", "channels")
    compare("`status`", "status")
    compare("`history`", "history")
    compare("`list --catch-up`", "list", "--catch-up")
    compare("`list --mix`", "list", "--mix")
    compare("`why`", "why", videos[0])
    compare("`show`", "show", videos[0])
    marks()
    idle = [word for n in range(9) for word in (
        ("--contains", f"giveaway{n}"), ("--matches", f"^sponsor(ed)? by.*{n}", "--in", "title"))]
    rules("`list`, 20 rules that hide hundreds", idle + [("--contains", word, "--in", "title") for word in title_words[:2]])
    rules("`list`, 20 rules that hide tens of thousands", idle + [("--contains", word) for word in title_words[:2]])
    compare("search, a rare word", "list", "--all", "--search", rare)
    compare("search, a common word", "list", "--search", "lobanö")
    compare("search, two words", "list", "--all", "--search", "lobanö tupe")
    slow = min(options.turns, 5)
    compare("cold", "list", turns=slow, before=forget)
    compare("first search", "list", "--search", "baku", turns=slow, before=forget_and_list)
polls()
