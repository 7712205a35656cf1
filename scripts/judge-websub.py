#!/usr/bin/env python3
"""judge-websub.py: Flask-WebSub, a WebSub hub that others wrote, against metube-hub as its subscriber.

Subscribe and verify, push (also signed wrongly, unsigned, twice, a flood, after unsubscribing), deny, renew after a
restart, redirect, unsubscribe. With --database the subscriber is two hubs on the PostgreSQL server that PGHOST and the
like name, as scripts/with-postgres.sh does. BIN (.build/release) is the folder of the programs. Exits with 1 at the first
complaint.
"""
import contextlib, hashlib, hmac, logging, os, shutil, signal, socket, sqlite3, subprocess, sys, tempfile, threading, time
from pathlib import Path

import requests
from celery import Celery
from flask import Flask, Response, redirect, request
from flask_websub.hub import Hub, SQLite3HubStorage
from werkzeug.serving import make_server

root = Path(__file__).resolve().parent.parent
bin = Path(os.environ.get("BIN", root / ".build/release"))
channels = ["UCsXVk37bltHxD1rDPwtNM8Q", "UCHnyfMqiRRG1u-2MsSQLbXA", "UC3I2GFN_F8WudD_2jUZbojA"]
folder = Path(tempfile.mkdtemp(prefix="metube-websub-"))
fetched, asked, denied = [], [], set()


def wait(what, holds, seconds=300):
    for _ in range(seconds * 10):
        if value := holds():
            return value
        time.sleep(0.1)
    raise AssertionError(f"waited in vain: {what}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


logging.getLogger("werkzeug").setLevel(logging.ERROR)
# One server has the feeds, and the hub that their headers name.
server = Flask("websub")
server.config["PUBLISH_SUPPORTED"] = True
# Google's hub signs by SHA-1.
hub = Hub(SQLite3HubStorage(str(folder / "websub.sqlite3")), SIGNATURE_ALGORITHM="sha1", **server.config)
celery = Celery("websub")
celery.conf.task_always_eager = True
hub.init_celery(celery)
server.register_blueprint(hub.build_blueprint(url_prefix="/hub"))
port = free_port()
origin = f"http://127.0.0.1:{port}"


@hub.register_validator
def validate(callback, topic, *_):
    return "not today" if topic in denied else None


@server.before_request
def note():
    if request.path == "/hub":
        asked.append((request.form["hub.mode"], request.form["hub.topic"]))


@server.route("/old", methods=["POST"])
def old():
    return redirect("/hub", 307)


@server.route("/feeds/videos.xml")
def feed():
    channel = request.args["channel_id"]
    fetched.append(channel)
    where = "/old" if channel == channels[1] else "/hub"
    topic = f"{origin}/feeds/videos.xml?channel_id={channel}"
    links = f'<{origin}{where}>; rel="hub", <{topic}>; rel="self"'
    return Response((root / f"Fixtures/feeds/channels/{channel}.xml").read_bytes(), content_type="text/xml",
                    headers={"Link": links})


def topic(channel):
    return f"{origin}/feeds/videos.xml?channel_id={channel}"


def publish(channel):
    requests.post(f"{origin}/hub", data={"hub.mode": "publish", "hub.topic": topic(channel)}).raise_for_status()
    # The hub fetches the topic itself; that is no poll.
    fetched.remove(channel)


kept = {name: value for name, value in os.environ.items() if not name.startswith("METUBE_")}
environment = kept | {"METUBE_RSS_HOME": str(folder), "METUBE_RSS_FEEDS_URL": origin, "no_proxy": "127.0.0.1"}


def call(program, *words, stdin=""):
    ended = subprocess.run(
        [bin / program, *words], input=stdin, capture_output=True, text=True, env=environment, timeout=120)
    assert ended.returncode == 0, f"{program} {words}: {ended.stderr}"
    return ended.stdout


def serve(port, *options):
    one = subprocess.Popen(
        [bin / "metube-hub", "serve", "--push", "--listen", f"127.0.0.1:{port}", "--public-url",
         f"http://127.0.0.1:{own}", *options], env=environment, stdout=subprocess.PIPE, text=True)
    one.stdout.readline()
    return one


def end(hubs):
    for one in hubs:
        one.terminate()
    for one in hubs:
        one.wait()
    hubs.clear()


class Files:
    """A hub on the files of one person, which the terminal works on too."""

    def prepare(self):
        call("metube-rss", "follow", *channels)
        self.poll()
        call("metube-hub", "user", "add", "ann", stdin="a long password\n")

    def serve(self):
        return [serve(own, "--no-poll")]

    def started(self):
        pass

    def poll(self):
        call("metube-rss", "poll", "--rate", "0", "--force")

    def unfollow(self, channel):
        call("metube-rss", "unfollow", channel)

    def rows(self, column):
        with contextlib.closing(sqlite3.connect(folder / "state/hub.db", timeout=30)) as store:
            if not store.execute("SELECT 1 FROM sqlite_master WHERE name = 'push'").fetchone():
                return {}
            return dict(store.execute(f"SELECT channel, {column} FROM push"))

    def change(self, assignments):
        with contextlib.closing(sqlite3.connect(folder / "state/hub.db", timeout=30)) as store, store:
            store.execute(f"UPDATE push SET {assignments}")

    def daily(self):
        said = folder / "state/push"
        return said.exists() and said.read_text().count("until")

    def is_pushed(self, channel):
        return self.rows("pushed")[channel]

    def forget_polls(self):
        # Otherwise the 15 minutes between two requests for a feed would have to pass.
        (folder / "state/poll").unlink(missing_ok=True)


class Tables:
    """Two hubs on one database, one of which polls."""

    place = ["--database", "application_name=judge"]

    def prepare(self):
        call("metube-hub", "migrate", *self.place)
        call("metube-hub", "user", "add", "ann", *self.place, stdin="a long password\n")
        self.token = call("metube-hub", "token", "add", "ann", "judge", "--scope", "write", *self.place).split()[0]

    def serve(self):
        return [serve(own, "--no-poll", *self.place), serve(free_port(), *self.place)]

    def send(self, method, path, **options):
        answer = requests.request(
            method, f"http://127.0.0.1:{own}/api/v1/{path}", headers={"Authorization": f"Bearer {self.token}"},
            timeout=60, **options)
        answer.raise_for_status()

    def started(self):
        self.send("POST", "channels", json={"channels": channels})

    def poll(self):
        pass

    def unfollow(self, channel):
        self.send("DELETE", f"channels/{channel}")

    def sql(self, statement):
        words = ["psql", "-XAtq", "-F", " ", "-c", f"SET search_path = metube; {statement}"]
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()

    def rows(self, column):
        found = (line.split(" ", 1) for line in self.sql(f"SELECT channel, {column} FROM push"))
        return {channel: int(value) if value.isdigit() else value for channel, value in found}

    def change(self, assignments):
        self.sql(f"UPDATE push SET {assignments}")

    def daily(self):
        return len(self.sql("SELECT * FROM pushed_channels(ARRAY(SELECT channel FROM push))"))

    def is_pushed(self, channel):
        # The poller may have been faster.
        return channel in fetched or self.sql(
            f"SELECT 1 FROM poll_channel WHERE subscription = '{channel}' AND due <= requested + 900")

    def forget_polls(self):
        self.sql("UPDATE poll_channel SET requested = requested - 1000, answered = answered - 1000, due = due - 1000,"
                 " rests_until = NULL WHERE lease_until IS NULL")


subscriber = Tables() if "--database" in sys.argv else Files()
rows = subscriber.rows


def leased():
    return {channel for channel, end in rows("lease_end").items() if end}


own = free_port()
# Ends the servers too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
web = make_server("127.0.0.1", port, server, threaded=True)
threading.Thread(target=web.serve_forever, daemon=True).start()
hubs = []
try:
    subscriber.prepare()
    denied.add(topic(channels[2]))
    hubs += subscriber.serve()
    subscriber.started()
    wait("two leases", lambda: leased() == set(channels[:2]))
    assert ("subscribe", topic(channels[1])) in asked, "the redirected request lost its body"
    wait("polls once a day", lambda: subscriber.daily() == 2)
    fetched.clear()
    # Pushed by the hub itself, and polled once it is due; a flood polls no more.
    publish(channels[0])
    wait("the push", lambda: subscriber.is_pushed(channels[0]))
    subscriber.forget_polls()
    wait("the poll", lambda: channels[0] in fetched)
    for _ in range(20):
        publish(channels[0])
    callback = f"http://127.0.0.1:{own}/push/{rows('callback')[channels[0]]}"
    secret = rows("secret")[channels[0]].encode()
    def push(body=b"<feed/>", sign=lambda body: hmac.new(secret, body, hashlib.sha256).hexdigest(), to=callback):
        headers = {"X-Hub-Signature": f"sha256={sign(body)}"} if sign else {}
        return requests.post(to, body, headers=headers, timeout=60).status_code
    assert push() == 202 and push(sign=lambda _: "0" * 64) == 403 and push(sign=None) == 403
    assert push(to=callback[:-1]) == 404
    with requests.Session() as one:
        signature = hmac.new(secret, b"x", hashlib.sha1).hexdigest()
        for _ in range(3000):
            assert one.post(callback, b"x", headers={"X-Hub-Signature": f"sha1={signature}"}).status_code == 202
    publish(channels[1])
    wait("the other push", lambda: subscriber.is_pushed(channels[1]))
    subscriber.forget_polls()
    wait("the other poll", lambda: channels[1] in fetched)
    assert fetched.count(channels[0]) <= 2, f"a flood led to {fetched.count(channels[0])} requests"
    # A restart renews what is about to end, and keeps its callback.
    end(hubs)
    before = rows("callback")
    subscriber.change("lease_end = lease_end - 432000 + 3600, sent = sent - 432000, retry = 0")
    subscriber.forget_polls()
    asked.clear()
    subscriber.poll()
    hubs += subscriber.serve()
    wait("the renewals", lambda: {topic for mode, topic in asked} >= {topic(one) for one in channels[:2]})
    wait("the leases", lambda: all(end > time.time() + 86400 for end in rows("lease_end").values() if end))
    assert rows("callback") == before
    # What is unfollowed is unsubscribed.
    subscriber.unfollow(channels[0])
    wait("the end", lambda: ("unsubscribe", topic(channels[0])) in asked and channels[0] not in leased())
    assert push() in (404, 410)
finally:
    end(hubs)
    web.shutdown()
    shutil.rmtree(folder, ignore_errors=True)
