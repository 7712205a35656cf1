#!/usr/bin/env python3
"""make.py NAME PROGRAMS SERVER: makes Fixtures/upgrades/NAME with the programs of an earlier version.

PROGRAMS is the folder of the built metube-rss and, if that version has it, metube-hub; SERVER is the path of any
fixture-server. With a hub, run it by scripts/with-postgres.sh, which brings PostgreSQL.
"""
import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
import time

from upgrades import FIXTURES, PASSWORDS, ROOT, Hub, Programs

FEEDS = os.path.join(ROOT, "Fixtures", "feeds", "channels")
# KEXP has IDs that begin with `-`.
CHANNELS = {
    "ann": ["UC3I2GFN_F8WudD_2jUZbojA", "UCsXVk37bltHxD1rDPwtNM8Q", "UCYO_jab_esuFRV4b17AJtAw"],
    "bob": ["UCsXVk37bltHxD1rDPwtNM8Q", "UCiDJtJKMICpb9B1qf7qjEOA"],
}


def pack(folder, path):
    """A folder as a tar archive, compressed; sockets and locks stay behind."""
    def chosen(member):
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member if (member.isfile() or member.isdir()) and not member.name.endswith("hub-errors") else None
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.add(folder, arcname=".", filter=chosen)
    with open(path, "wb") as file:
        file.write(lzma.compress(data.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def write(path, value):
    with open(path, "wb") as file:
        file.write(lzma.compress(json.dumps(value, ensure_ascii=False, indent=1).encode(), preset=9))


def fill(programs):
    """Follows, polls and decides in a home."""
    rss = lambda *words, given="": programs.run("metube-rss", *words, given=given)
    rss("follow", "--tag", "music", CHANNELS["ann"][0])
    rss("follow", "--tag", "science", "--tag", "long", *CHANNELS["ann"][1:])
    rss("channel", "set", CHANNELS["ann"][2], "--shorts", "show", "--title", "Three Blue One Brown")
    rss("poll", "--rate", "0")
    ids = rss("list", "--shorts", "show", "--limit", "0", "--format", "ids").split()
    rss("watched", *ids[0:3])
    rss("skip", *ids[3:5])
    rss("snooze", "2040-01-01", ids[5])
    rss("save", ids[6], ids[7])
    rss("progress", ids[6], "12:34")
    rss("note", ids[6], "the part on gears; ‘näive’ 日本")
    rss("watched", ids[8])
    rss("undo")
    rss("collection", "add", "To cook", ids[9], ids[6])
    rss("collection", "add", "Trains", ids[10])
    rss("rule", "add", "block", "--contains", "live in the studio")
    rss("rule", "add", "allow", "--matches", "tide", "--in", "title")
    rss("follow", CHANNELS["bob"][1])
    rss("unfollow", CHANNELS["bob"][1])


def make_home(target, programs):
    fill(programs)
    write(f"{target}/home.expected.xz", programs.home_contents())
    pack(programs.home, f"{target}/home.tar.xz")


def fill_hub(programs, options):
    """Adds users who follow, mark and read; returns their tokens, and what they have."""
    for user, password in PASSWORDS.items():
        programs.run("metube-hub", "user", "add", user, *options, given=password + "\n")
    tokens = {
        user: programs.run("metube-hub", "token", "add", user, "reader", "--scope", "write", *options).split()[-1]
        for user in PASSWORDS
    }
    with Hub(programs, *options) as hub:
        send = lambda user, method, path, body=None: hub.json(method, path, body, Authorization=f"Bearer {tokens[user]}")
        for user in PASSWORDS:
            send(user, "POST", "/api/v1/channels", {"channels": CHANNELS[user], "tag": ["of " + user]})
    if "--database" in options:
        programs.run("metube-hub", "poll", "--once", "--rate", "0", *options)
    with Hub(programs, *[option for option in options]) as hub:
        send = lambda user, method, path, body=None: hub.json(method, path, body, Authorization=f"Bearer {tokens[user]}")
        if "--database" not in options:
            send("ann", "POST", "/api/v1/poll", {})
        for user, count in (("ann", 45), ("bob", 30)):
            deadline = time.time() + 120
            while len(send(user, "GET", "/api/v1/videos?all=true&shorts=show&upcoming=show&limit=500")["videos"]) < count:
                if time.time() > deadline:
                    raise RuntimeError(f"{user}: not all videos came")
                time.sleep(0.2)
        for first, user in enumerate(PASSWORDS):
            ids = [video["video"] for video in send(user, "GET", "/api/v1/videos?shorts=show&limit=500")["videos"]][first:]
            marks = [{"video": video, "status": "watched"} for video in ids[:3]]
            marks += [{"video": ids[3], "status": "skipped"}, {"video": ids[4], "status": "snoozed", "until": "2040-01-01"}]
            marks += [{"video": ids[5], "saved": True, "note": f"of {user}", "progressSeconds": 754}]
            marks += [{"video": ids[6], "collection": f"List of {user}"}]
            send(user, "POST", "/api/v1/marks", {"marks": marks})
            send(user, "POST", "/api/v1/rules", {"verdict": "block", "contains": f"studio {first}"})
            # Numbers are assigned as readers see them.
            hub.contents(user, tokens[user])
        cookies = {user: hub.log_in(user) for user in PASSWORDS}
        contents = {user: hub.contents(user, tokens[user]) for user in PASSWORDS}
    return {"users": programs.users(*options), "tokens": tokens, "cookies": cookies, "contents": contents}


def make_hubs(target, folder, programs_of):
    data = f"{folder}/hub"
    write(f"{target}/data.expected.xz", fill_hub(programs_of(f"{folder}/other"), ["--data", data]))
    pack(data, f"{target}/data.tar.xz")
    programs, options = programs_of(f"{folder}/database"), ["--database", "dbname=" + os.environ["PGDATABASE"]]
    programs.run("metube-hub", "migrate", *options)
    write(f"{target}/postgres.expected.xz", fill_hub(programs, options))
    dump = subprocess.run(["pg_dump", "--no-owner", "--schema=metube"], check=True, capture_output=True).stdout
    with open(f"{target}/postgres.sql.xz", "wb") as file:
        file.write(lzma.compress(dump, preset=9 | lzma.PRESET_EXTREME))


def main():
    name, folder_of_programs, server = sys.argv[1:]
    target = os.path.join(FIXTURES, name)
    os.makedirs(target, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        port = os.path.join(folder, "port")
        feeds = subprocess.Popen([server, FEEDS, "--port-file", port], stdout=subprocess.DEVNULL)
        try:
            while not os.path.exists(port) or not open(port, encoding="utf-8").read().strip():
                time.sleep(0.05)
            url = "http://127.0.0.1:" + open(port, encoding="utf-8").read().strip()

            def programs_of(home):
                os.makedirs(home, mode=0o700, exist_ok=True)
                return Programs(folder_of_programs, home, url)

            make_home(target, programs_of(f"{folder}/home"))
            if os.path.exists(os.path.join(folder_of_programs, "metube-hub")):
                make_hubs(target, folder, programs_of)
        finally:
            feeds.terminate()
            feeds.wait()


if __name__ == "__main__":
    main()
