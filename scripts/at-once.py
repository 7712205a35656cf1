#!/usr/bin/env python3
"""at-once.py [SECONDS=60]: twenty concurrent processes mark and poll.

Fifteen mark videos, each video twice; four poll while the channels publish; one compacts. Afterwards exactly the videos
reported as marked must have been marked, once each; none may be found twice; the log must be intact.
"""
import collections, random, sys, threading, time

from sandbox import POLL, Broken, Sandbox, lines

CHANNELS, MARKING, POLLING = 200, 15, 4


class Crowd:
    """Twenty workers on one home, and their results."""

    def __init__(self, sandbox, seconds):
        self.sandbox, self.home = sandbox, sandbox.folder / "home"
        sandbox.do(self.home, "import", "-", stdin=sandbox.ids(CHANNELS))
        sandbox.do(self.home, *POLL)
        listed = sandbox.do(self.home, "list", "--all", "--shorts", "show", "--limit", "0", "--format", "ids").split()
        self.waiting = listed * 2
        random.shuffle(self.waiting)
        self.end = time.monotonic() + seconds
        self.marked, self.ends, self.polls = set(), collections.Counter(), 0

    def mark(self):
        while time.monotonic() < self.end and self.waiting:
            video = self.waiting.pop()
            ended = self.sandbox.run(self.home, "watched", video)
            self.ends["watched", ended.returncode] += 1
            if ended.returncode == 0:
                self.marked.add(video)

    def poll(self):
        while time.monotonic() < self.end:
            self.polls += 1
            self.sandbox.generation(10 + self.polls)
            self.ends["poll", self.sandbox.run(self.home, *POLL).returncode] += 1

    def compact(self):
        while time.monotonic() < self.end:
            self.ends["log compact", self.sandbox.run(self.home, "log", "compact").returncode] += 1

    def run(self):
        work = [self.mark] * MARKING + [self.poll] * POLLING + [self.compact]
        threads = [threading.Thread(target=each) for each in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def judge(self):
        events = collections.Counter(
            (line["kind"], line["video"]) for line in lines(self.home) if line.get("kind") in ("statusSet", "videoFound"))
        marks = {video for kind, video in events if kind == "statusSet"}
        if twice := [event for event, count in events.items() if count > 1]:
            raise Broken(f"{len(twice)} events are in the log twice: {twice[0]}")
        if lost := self.marked - marks:
            raise Broken(f"{len(lost)} videos reported as marked are not: {min(lost)}")
        # 75 reports that a lock was held for too long; nothing else may happen.
        if odd := {end: count for end, count in self.ends.items() if end[1] not in (0, 75)}:
            raise Broken(f"exited with a status other than 0 or 75: {odd}")
        if extra := marks - self.marked:
            raise Broken(f"{len(extra)} videos are marked but were not reported: {min(extra)}")
        self.sandbox.do(self.home, "log", "verify")


seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
with Sandbox(CHANNELS) as sandbox:
    crowd = Crowd(sandbox, seconds)
    crowd.run()
    crowd.judge()
ends = ", ".join(f"{count} {command} exited with {status}" for (command, status), count in sorted(crowd.ends.items()))
print(f"{len(crowd.marked)} videos marked, each once; {ends}")
