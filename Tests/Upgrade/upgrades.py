"""What a person has in a home or on a hub, as its programs show it, for homes of earlier versions.

Used by make.py, which asks the old programs, and by test_upgrade.py, which asks the present ones.
"""
import base64
import json
import os
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FIXTURES = os.path.join(ROOT, "Fixtures", "upgrades")
# Of the fixtures alone.
PASSWORDS = {"ann": "fixture-password-of-ann", "bob": "fixture-password-of-bob"}
# What depends on the time at which it is shown.
PASSING = {"verdict", "live", "intervalSeconds", "unwatched", "nextPoll", "seconds", "used", "changed_at", "checked_at", "next_check_at"}


def environment(home, feeds=None):
    """The environment of a program, without anything of the person who runs it."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PGHOST", "PGPORT", "PGUSER", "PGDATABASE")}
    # Nothing listens on that port.
    return kept | {
        "HOME": home, "METUBE_RSS_HOME": home, "METUBE_RSS_FEEDS_URL": feeds or "http://127.0.0.1:9", "no_proxy": "*",
        "TZ": "UTC", "LC_ALL": "C.UTF-8",
    }


class Programs:
    """Both programs in a folder, with a home."""

    def __init__(self, folder, home, feeds=None):
        self.folder, self.home, self.environment = folder, home, environment(home, feeds)

    def start(self, *words, **options):
        path = os.path.join(self.folder, words[0])
        return subprocess.Popen([path, *words[1:]], env=self.environment, text=True, **options)

    def run(self, *words, given=""):
        """Standard output of a program that has to succeed."""
        process = self.start(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output, errors = process.communicate(given, timeout=300)
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: status {process.returncode}: {errors}{output}")
        return output

    def rows(self, *words):
        output = self.run("metube-rss", *words, "--format", "jsonl")
        return [without_passing(json.loads(line)) for line in output.splitlines()]

    def users(self, *options):
        """The names of a hub's users."""
        return [line.split()[0] for line in self.run("metube-hub", "user", "list", *options).splitlines()]

    def home_contents(self):
        """What is in the home, as the terminal shows it."""
        videos = self.rows("list", "--all", "--shorts", "show", "--upcoming", "show", "--no-rules", "--limit", "0")
        touched = [video["video"] for video in videos if video["status"] != "new" or video["saved"]]
        collections = self.rows("collection", "list")
        return {
            "videos": videos,
            "listed": self.run("metube-rss", "list", "--upcoming", "show", "--limit", "0", "--format", "ids").split(),
            "details": {video: self.rows("show", video) for video in sorted(touched)},
            "channels": self.rows("channels"), "rules": self.rows("rule", "list"), "collections": collections,
            "members": {row["collection"]: self.rows("collection", "show", row["collection"]) for row in collections},
            "history": self.rows("history", "--limit", "0"),
        }


class Hub:
    """A hub that runs, and one user of it."""

    def __init__(self, programs, *options):
        self.errors = os.path.join(programs.home, "hub-errors")
        with open(self.errors, "w", encoding="utf-8") as errors:
            self.process = programs.start(
                "metube-hub", "serve", "--no-poll", "--listen", "127.0.0.1:0", *options, stdout=subprocess.PIPE,
                stderr=errors)
        line = self.process.stdout.readline()
        if not line.startswith("metube-hub: http"):
            with open(self.errors, encoding="utf-8") as errors:
                raise RuntimeError(f"the hub does not start: {line}{errors.read()}")
        self.url = line.split()[1].rstrip("/")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.status = self.process.wait(timeout=60)
        self.process.stdout.close()

    def send(self, method, path, body=None, **headers):
        """The answer to a request, as text; of an error the status."""
        if isinstance(body, (dict, list)):
            body, headers["Content_Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(
            self.url + path, data=body, method=method, headers={name.replace("_", "-"): value for name, value in headers.items()})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                self.headers = answer.headers
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            return f"HTTP {error.code} {error.read().decode()}"

    def json(self, method, path, body=None, **headers):
        text = self.send(method, path, body, **headers)
        return json.loads(text) if text and not text.startswith("HTTP ") else text

    def log_in(self, user):
        """The cookie of a new session."""
        answer = self.json("POST", "/api/v1/session", {"name": user, "password": PASSWORDS[user]})
        if str(answer).startswith("HTTP"):
            raise RuntimeError(f"{user}: {answer}")
        return self.headers["Set-Cookie"].split(";")[0]

    def contents(self, user, token):
        """What a user has: by the API with a token, by two readers' APIs, and by an address with a token."""
        bearer = {"Authorization": f"Bearer {token}"}
        basic = {"Authorization": "Basic " + base64.b64encode(f"{user}:{PASSWORDS[user]}".encode()).decode()}
        get = lambda path: self.json("GET", path, **bearer)
        videos = get("/api/v1/videos?all=true&shorts=show&upcoming=show&noRules=true&limit=500")["videos"]
        touched = [video["video"] for video in videos if video["status"] != "new" or video["saved"]]
        collections = get("/api/v1/collections")
        names = [urllib.parse.quote(row["collection"]) for row in collections["collections"]]
        found = {
            "videos": videos, "details": {video: get(f"/api/v1/videos/{video}") for video in touched},
            "members": {name: get(f"/api/v1/collections/{name}") for name in names},
            "channels": get("/api/v1/channels"), "rules": get("/api/v1/rules"), "tags": get("/api/v1/tags"),
            "collections": collections, "history": get("/api/v1/history?limit=100"),
            "tokens": get("/api/v1/tokens"),
            "miniflux feeds": self.json("GET", "/v1/feeds", **basic),
            "miniflux categories": self.json("GET", "/v1/categories", **basic),
            "miniflux entries": [
                {name: entry[name] for name in ("id", "feed_id", "status", "title", "url", "published_at", "starred")}
                for entry in self.json("GET", "/v1/entries?limit=500&order=id", **basic)["entries"]
            ],
            "google reader subscriptions": get("/reader/api/0/subscription/list?output=json"),
            "google reader items": get("/reader/api/0/stream/items/ids?output=json&n=500&s=user/-/state/com.google/reading-list"),
            "feed": self.send("GET", f"/feeds/atom?token={token}").replace(self.url, "http://hub"),
            "subscriptions": self.send("GET", "/api/v1/export/opml", **bearer),
        }
        return without_passing(found)


def without_passing(value):
    if isinstance(value, dict):
        return {name: without_passing(member) for name, member in value.items() if name not in PASSING}
    return [without_passing(element) for element in value] if isinstance(value, list) else value


def lost(old, new, path=""):
    """Where `new` lacks something of `old`, or has something else; more members are no loss."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name, member in old.items():
            if name not in new:
                yield f"{path}/{name}: gone"
            else:
                yield from lost(member, new[name], f"{path}/{name}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{path}: {len(old)} before, {len(new)} now"
        for number, (before, after) in enumerate(zip(old, new)):
            yield from lost(before, after, f"{path}/{number}")
    elif old != new:
        yield f"{path}: {str(old)[:300]} before, {str(new)[:300]} now"
