#!/usr/bin/env python3
"""A hub on a standby of the PostgreSQL server of the environment; see with-postgres.sh.

    scripts/with-postgres.sh scripts/standby.py PROGRAM

The standby is a copy of the server, and replays what that one writes. The hub on it is not healthy and answers changes and
logins with 503 and the reason, but shows lists, also what is new; tokens of the one server's list are valid on the other.
Once the standby is promoted, the same process takes changes.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

SCHEMA, PORT, PASSWORD = "standby", "5433", "correct horse"
CHANNEL = "UC" + "a" * 21 + "A"
LISTS = ["api/v1/videos", "api/v1/channels", "api/v1/rules", "api/v1/status", "v1/feeds", "v1/entries", "channels", ""]


class Hub:
    """A hub that runs on a database; its requests are those of the holder of a token."""

    def __init__(self, program, address, token):
        self.token = token
        words = ["serve", "--no-poll", "--listen", "127.0.0.1:0", "--database", address, "--schema", SCHEMA]
        self.process = subprocess.Popen(
            [program, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def request(self, path, body=None):
        """The status and the text of an answer."""
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers), timeout=300) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, path):
        """What an answer with status 200 says."""
        status, text = self.request(path)
        assert status == 200, (path, status, text)
        return text

    def block(self, word):
        """Adds a rule, which is a change like any other."""
        return self.request("api/v1/rules", {"verdict": "block", "contains": word})

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait() == 0, self.process.returncode


def run(*words, **more):
    outcome = subprocess.run(words, capture_output=True, text=True, **more)
    assert outcome.returncode == 0, outcome
    return outcome.stdout


def eventually(what, condition):
    """Waits until a condition holds, five minutes at most."""
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.2)


def check(program, as_postgres, data):
    name = f"dbname={os.environ['PGDATABASE']}"
    options = ["--database", name, "--schema", SCHEMA]
    tool = lambda name, *words: run(*as_postgres, shutil.which(name), *words, cwd="/")
    run(program, "migrate", *options)
    run(program, "user", "add", "ann", *options, input=PASSWORD + "\n")
    token = run(program, "token", "add", "ann", "test", "--scope", "write", *options).strip()
    hubs = []
    try:
        hubs.append(Hub(program, name, token))
        primary = hubs[0]
        status, text = primary.request("api/v1/channels", {"channels": [CHANNEL]})
        assert status == 200, text
        # Numbers for readers are given at the first look.
        for path in LISTS:
            primary.get(path)
        tool("pg_basebackup", "-D", data, "-R", "-c", "fast", "-h", os.environ["PGHOST"], "-U", "postgres")
        # Its output would keep the pipe open.
        subprocess.run(
            [*as_postgres, shutil.which("pg_ctl"), "start", "-s", "-w", "-D", data, "-l", data + "/log", "-o",
             f"-c port={PORT} -c listen_addresses= -c unix_socket_directories={os.environ['PGHOST']}"],
            cwd="/", check=True)
        hubs.append(Hub(program, f"{name} port={PORT}", token))
        standby = hubs[1]

        status, text = standby.request("health")
        assert status == 503 and "only be read" in json.loads(text)["message"], (status, text)
        assert "\nmetube_hub_writable 0\n" in standby.get("metrics")
        for path in LISTS:
            standby.get(path)
        for path, body in [
            ("api/v1/rules", {"verdict": "block", "contains": "standby"}),
            ("api/v1/session", {"name": "ann", "password": PASSWORD}),
        ]:
            status, text = standby.request(path, body)
            assert status == 503 and "only be read" in json.loads(text)["detail"], (path, status, text)

        token_of_list = json.loads(primary.get("api/v1/videos"))["token"]
        standby.get(f"api/v1/changes?since={token_of_list}")
        status, text = primary.block("later")
        assert status == 201, text
        eventually("a new rule is shown", lambda: "later" in standby.get("api/v1/rules"))

        tool("pg_ctl", "promote", "-s", "-w", "-D", data)
        eventually("the promoted server takes changes", lambda: standby.block("promoted")[0] == 201)
        eventually("the hub is healthy", lambda: standby.request("health")[0] == 200)
        for hub in hubs:
            hub.end()
        hubs.clear()
    finally:
        for hub in hubs:
            hub.process.kill()
            hub.process.wait()
        if os.path.exists(data + "/postmaster.pid"):
            tool("pg_ctl", "stop", "-s", "-m", "fast", "-D", data)


def main():
    program = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="standby.")
    os.environ.update(METUBE_RSS_HOME=folder + "/home", no_proxy="127.0.0.1")
    as_postgres = []
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        as_postgres = ["runuser", "-u", "postgres", "--"]
    try:
        check(program, as_postgres, folder + "/data")
        print("standby: passed")
    finally:
        shutil.rmtree(folder)


main()
