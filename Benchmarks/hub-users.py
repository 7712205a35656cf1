#!/usr/bin/env python3
"""hub-users.py [USERS=100]: users of one hub who follow 200 channels each, 160 of which all of them follow.

Prints the requests to the server that replaces YouTube, memory, sizes, and times for a user's feed.
"""
import http.client, sys, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
from sandbox import POLL, Broken, Hub, Sandbox, lines

EACH, COMMON = 200, 160


def memory(process):
    """The resident set and its peak, MB."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if ":" in line)
    return [int(status[name].split()[0]) / 1000 for name in ("VmRSS", "VmHWM")]


def size(folder, pattern):
    return sum(path.stat().st_size for path in folder.glob(pattern) if path.is_file() and not path.is_symlink()) / 1e6


def spread(times):
    times = sorted(times)
    return f"median {times[len(times) // 2] * 1000:.1f} ms, slowest {times[-1] * 1000:.1f} ms"


def marks(sandbox, hub, user):
    """The kilobytes that the hub reads for a mark of a user who sees the catalogue's videos, and of one with a log of a
    home that has all videos itself."""
    home = sandbox.folder / "home"
    ids = [row["channel"] for row in hub.get(user, "/api/v1/channels")["channels"]]
    sandbox.do(home, "import", "-", stdin="".join(id + "\n" for id in ids).encode())
    sandbox.do(home, *POLL, statuses=(0, 1))
    hub.add("copied", "--from", str(home))
    for name, words in ((user, "videos of the catalogue"), ("copied", "videos of a home")):
        videos = [video["video"] for video in hub.get(name, "/api/v1/videos?limit=50")["videos"]]

        def mark(video):
            status, answer = hub.ask(name, "POST", "/api/v1/marks", {"marks": [{"video": video, "saved": True}]})
            if status != 200:
                raise Broken(f"mark: {status} {answer}")

        def read():
            return int(Path(f"/proc/{hub.process.pid}/io").read_text().split()[1])

        for video in videos[:10]:
            mark(video)
        before = read()
        for video in videos[10:]:
            mark(video)
        yield words, (read() - before) / len(videos[10:]) / 1000


def main():
    users = [f"user{number}" for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else 100)]
    channels = COMMON + len(users) * (EACH - COMMON)
    with Sandbox(channels) as sandbox:
        ids, hub = sandbox.ids(channels).split(), Hub(sandbox, sandbox.folder / "hub")
        catalogue = hub.data / "catalogue"
        for user in users:
            hub.add(user)
        hub.start("--no-poll")

        def timed(user, path="/api/v1/videos?limit=50"):
            began = time.monotonic()
            page = hub.get(user, path)
            return time.monotonic() - began, page

        began = time.monotonic()
        for number, user in enumerate(users):
            own = ids[COMMON + number * (EACH - COMMON):][:EACH - COMMON]
            status, answer = hub.ask(user, "POST", "/api/v1/import", b"\n".join(ids[:COMMON] + own))
            if status != 200 or answer["new"] != EACH:
                raise Broken(f"import: {status} {answer}")
        print(f"{len(users)} imports of {EACH} channels: {time.monotonic() - began:.1f} s")
        began = time.monotonic()
        hub.ask(users[0], "POST", "/api/v1/poll")
        while sum(line.get("kind") == "channelFollowed" for line in lines(catalogue)) < channels:
            time.sleep(0.2)
        print(f"union of {channels} channels: {time.monotonic() - began:.1f} s")
        hub.end()
        began = time.monotonic()
        sandbox.do(catalogue, *POLL, statuses=(0, 1))
        checked = sum(line["checked"] for line in lines(catalogue) if line.get("kind") == "runFinished")
        videos = sum(line.get("kind") == "videoFound" for line in lines(catalogue))
        print(f"poll without a rate limit: {checked} requests answered for {channels} channels, {videos} videos, "
              f"{time.monotonic() - began:.1f} s")
        hub.start("--no-poll")
        print("at rest: {:.0f} MB".format(memory(hub.process)[0]))
        first = [timed(user) for user in users]
        if any(page["matching"] < EACH for _, page in first):
            raise Broken("a user lacks videos")
        print(f"first feed of each user, tables to be made: {spread([took for took, _ in first])}")
        for words in ("feed again, most logs closed meanwhile", "and again"):
            print(f"{words}: {spread([timed(user)[0] for user in users])}")
        print(f"the same user's feed, log open: {spread([timed(users[0])[0] for _ in range(50)])}")
        print("memory after that: {:.0f} MB, peak {:.0f} MB".format(*memory(hub.process)))
        began = time.monotonic()
        page = hub.ask(users[0], "POST", "/api/v1/channels", {"channels": [ids[-1].decode()]})
        print(f"following a channel that somebody else follows: {(time.monotonic() - began) * 1000:.0f} ms")
        hub.end()
        sandbox.generation(11)
        sandbox.do(catalogue, *POLL, statuses=(0, 1))
        hub.start("--no-poll")
        print(f"feed after a poll with news: {spread([timed(user)[0] for user in users])}")
        print("reads of a mark: " + ", ".join(f"{words} {reads:.0f} kB" for words, reads in marks(sandbox, hub, users[0])))
        hub.end()
        print(f"catalogue's log {size(catalogue, 'log/*'):.0f} MB; for each user: log "
              f"{size(hub.data / 'users', '*/log/*') / len(users):.2f} MB, tables "
              f"{size(hub.data / 'users', '*/cache/*') / len(users):.1f} MB, numbers "
              f"{size(hub.data / 'users', '*/state/numbers.db') / len(users):.2f} MB")


main()
