#!/usr/bin/env python3
"""second-device.py HOME

Adds the log of a second device to a log that `bench-log make` wrote: marks, snoozes, lengths and live states, notes,
collections, removals, second sights, edits, runs, gaps and settings of channels; 8 % as many events as there are videos,
half of them with IDs below the last ones of the first device. The same for the same log."""
import json, random, sys
from datetime import datetime, timezone

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def checksum(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


home = sys.argv[1]
pick = random.Random(7)
videos, channels = [], []
with open(f"{home}/log/bench000.jsonl", encoding="utf-8") as log:
    for line in log:
        if '"kind":"videoFound"' in line[:80]:
            head = line[: line.index('"title"')]
            videos.append([head[head.index(f'"{key}":"') + len(key) + 4 :].split('"')[0] for key in ("video", "channel")])
        elif '"kind":"channelFollowed"' in line[:80]:
            channels.append(json.loads(line)["subscription"])

first, last = 0x199C82CC000 - 86_400_000, 0x199C82CC000 + 3_600_000
counter = 0


def time(days):
    seconds = 1_760_000_000 + int(days * 86_400)
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def body(video, channel):
    chance = pick.random()
    if chance < 0.35:
        return "statusSet", dict(video=video, status=pick.choice(["watched", "watched", "skipped", "new"]))
    if chance < 0.42:
        return "statusSet", dict(video=video, status="snoozed", until=time(pick.uniform(-30, 900)))
    if chance < 0.60:
        live = pick.choice([None, "none", "none", "none", "ended", "upcoming", "live"])
        members = dict(video=video, duration=pick.randint(20, 9000))
        if live:
            members["live"] = live
        if live == "upcoming":
            members["scheduled"] = time(pick.uniform(-30, 900))
        return "videoEnriched", members
    if chance < 0.66:
        return "savedSet", dict(video=video, saved=pick.random() < 0.8)
    if chance < 0.71:
        return "noteSet", dict(video=video, text=f"note {pick.randint(0, 999)}")
    if chance < 0.76:
        return "progressSet", dict(video=video, seconds=pick.randint(0, 3000))
    if chance < 0.80:
        return "collectionSet", dict(video=video, collection=f"list {pick.randint(0, 9)}", member=pick.random() < 0.8)
    if chance < 0.82:
        return "videoRemoved", dict(video=video, removed=pick.random() < 0.9)
    if chance < 0.86:
        link = f"https://www.youtube.com/watch?v={video}"
        return "videoFound", dict(
            video=video, channel=channel, feed="uploads", title=f"second sight {pick.randint(0, 99)}", link=link,
            published=time(-pick.uniform(0, 900)), zeroViews=False)
    if chance < 0.94:
        return "videoChanged", dict(video=video, title=f"edited title {pick.randint(0, 999)}")
    if chance < 0.97:
        return "runFinished", dict(
            checked=9, notDue=1, failed=0, new=1, changed=0, gaps=0, outage=False, milliseconds=900, bytes=9000)
    if chance < 0.98:
        return "gapFound", dict(subscription=pick.choice(channels), after=time(-9), before=time(-8))
    return "channelChanged", dict(
        subscription=pick.choice(channels), shorts=pick.choice(["show", "hide"]), live=pick.choice(["show", "hide"]),
        tags=[pick.choice(["science", "music", "lists"])])


def line(kind, members):
    global counter
    counter += 1
    moment = first + (last - first) * counter // (len(videos) * 8 // 100 + 2)
    event = f"{moment:013x}-{counter % 65536:04x}-bench111"
    head = dict(v=1, id=event, kind=kind)
    if kind != "logStarted":
        head["action"] = event
    text = json.dumps(head | members, ensure_ascii=False, separators=(",", ":"))[:-1]
    return f'{text},"c":"{checksum(text.encode()):08x}"}}\n'


with open(f"{home}/log/bench111.jsonl", "w", encoding="utf-8") as log:
    log.write(line("logStarted", dict(device="bench111", generation=1)))
    for _ in range(len(videos) * 8 // 100):
        log.write(line(*body(*pick.choice(videos))))
