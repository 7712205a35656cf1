"""What mallory does in the benchmark of fairness: one kind of costly requests after the other, on some connections."""
import collections, http.client, json, socket, subprocess, tempfile, time
from pathlib import Path

from fairness_data import WORDS, video
from sandbox import DatabaseHub, build, channel


class Client:
    """Requests with a token on one connection, which is opened again when it closes, until an end."""

    def __init__(self, port, token, end):
        self.port, self.end, self.connection = port, end, None
        self.headers = {"Authorization": f"Bearer {token}"}
        # By status, or "none" without an answer, how many.
        self.answers, self.body = collections.Counter(), b""

    @property
    def left(self):
        return self.end - time.monotonic()

    def send(self, method, path, body=None, type="application/octet-stream", keep=False, abandon=False):
        """Sends a request; returns the status, 0 without an answer in time. `keep`: the answer's body is wanted; `abandon`:
        the answer is not waited for."""
        if self.left <= 0:
            return 0
        if isinstance(body, dict):
            body, type = json.dumps(body).encode(), "application/json"
        status, self.body = 0, b""
        try:
            # The hub closes it after some answers.
            if not self.connection or not self.connection.sock:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
                self.connection.connect()
            self.connection.sock.settimeout(max(0.05, self.left))
            headers = self.headers | ({"Content-Type": type} if body is not None else {})
            try:
                self.connection.request(method, path, body, headers)
            except (BrokenPipeError, ConnectionResetError):
                pass  # Refused before all was sent.
            if not abandon:
                answer = self.connection.getresponse()
                while piece := answer.read(1 << 20):
                    self.body += piece if keep else b""
                status = answer.status
        except (OSError, http.client.HTTPException):
            status = 0
        if not status:
            self.connection and self.connection.close()
            self.connection = None
        self.answers["left" if abandon else f"{status // 100}xx" if status else "none"] += 1
        return status

    def json(self, path):
        return json.loads(self.body) if self.send("GET", path, keep=True) == 200 else None


# Kinds: what one connection does, of a client and the connection's number, until the client's end.


def sends(path, type, bodies):
    """Sends files by turns; `bodies` makes them, which takes longer than sending them."""
    def run(client, number):
        while client.left > 0:
            client.send("POST", path, MADE[bodies][number % len(MADE[bodies])], type)
            number += 1
    run.bodies = bodies
    return run


# What functions that make bodies made; done before processes share it.
MADE = {}
BOUNDARY = b"X" * 60


def near_boundaries():
    head = b"--" + BOUNDARY + b'\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    return [head + (b"\r\n--" + BOUNDARY[1:] + b"Y") * (60_000_000 // 64)]


def files_of_others():
    """More subscriptions than anybody may have, and histories."""
    channels = "Channel Id,Channel Url,Channel Title\n" + "".join(
        f"{channel(n)},http://www.youtube.com/channel/{channel(n)},A rather long title of channel {n}\n" for n in range(99_000))
    histories = ["video_id,channel_id,title,watched\n" + "".join(
        f"{video(n)},{channel(n)},A rather long title of video {n},2023-08-03T01:57:17+00:00\n"
        for n in range(part * 99_000, part * 99_000 + 99_000)) for part in range(1, 4)]
    return [text.encode() for text in (channels, *histories)]


def previews(pattern, abandon=False):
    def run(client, number):
        while client.left > 0:
            rule = {"verdict": "block", "matches": pattern}
            client.send("POST", "/api/v1/rules/preview", rule, abandon=abandon)
    return run


def undos(client, number):
    categories = client.json("/v1/categories") or []
    many = next((category["id"] for category in categories if category["title"] == "many"), 0)
    while client.left > 0:
        client.send("PUT", f"/v1/categories/{many}/mark-all-as-read")
        client.send("POST", "/api/v1/undo?yes=true")


def reads(*paths):
    def run(client, number):
        while client.left > 0:
            client.send("GET", paths[number % len(paths)])
            number += 1
    return run


def device_log():
    """The log of a device: 40,000 videos, 105 MB."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build / "bench-log", "make", folder, "40000", "1000"], check=True, stdout=subprocess.DEVNULL)
        return [(Path(folder) / f"log/{DEVICE}.jsonl").read_bytes()]


# As bench-log names it.
DEVICE = "bench000"


def logs(client, number):
    """One connection sends a device's log, the others read all logs."""
    table = client.json("/api/v1/logs")
    if number == 0:
        text, offset, checksum = MADE[device_log][0], 0, ""
        while client.left > 0 and offset < len(text):
            end = text.rfind(b"\n", offset, offset + (8 << 20)) + 1
            path = f"/api/v1/logs/{DEVICE}?offset={offset}&checksum={checksum}"
            if client.send("POST", path, text[offset:end], "application/jsonl", keep=True) == 200:
                log = next(log for log in json.loads(client.body)["logs"] if log["log"] == DEVICE)
                offset, checksum = log["length"], log["checksum"]
    names = [log["log"] for log in (table or {}).get("logs", [])]
    reads("/api/v1/logs", *(f"/api/v1/logs/{name}?offset=0&checksum=" for name in names))(client, number)


logs.bodies = device_log


def streams(client, number):
    """Holds seven, a hundred with 16 connections, or requests again those that it does not get."""
    held, most = [], 7
    request = (f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
               f"Authorization: {client.headers['Authorization']}\r\n\r\n").encode()
    while client.left > 0:
        if len(held) == most:
            time.sleep(0.1)
            continue
        stream = socket.create_connection(("127.0.0.1", client.port))
        stream.settimeout(max(0.05, client.left))
        try:
            stream.sendall(request)
            head = stream.recv(4096)
        except OSError:
            head = b""
        client.answers[f"{head[9:10].decode()}xx" if head else "none"] += 1
        if head[9:10] == b"2":
            held.append(stream)
        else:
            stream.close()


def hoards(client, number):
    """Requests an export and reads nothing of it, so that the hub must keep what it cannot send."""
    with socket.socket() as connection:
        # A small window leaves the answer to the hub.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", client.port))
        connection.sendall((f"GET /api/v1/export/jsonl HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
                            f"Authorization: {client.headers['Authorization']}\r\n\r\n").encode())
        connection.settimeout(max(0.05, client.left))
        try:
            head = connection.recv(64)
        except OSError:
            head = b""
        client.answers[f"{head[9:10].decode()}xx" if head else "none"] += 1
        time.sleep(max(0, client.left))


def searches(client, number):
    words = [*WORDS, "wo", "rd", *(f"word{place}" for place in range(1, 100))]
    reads(*(f"/api/v1/videos?all=true&limit=50&search={word}" for word in words))(client, number * 7)


def forget_search(hub):
    """Removes mallory's read model and search index, with files; with a database nothing is made at a first search."""
    hub.end()
    if not isinstance(hub, DatabaseHub):
        for path in (hub.data / "users/mallory/cache").iterdir():
            path.unlink()
    hub.start("--no-poll")


uploads = sends("/import", "multipart/form-data; boundary=" + BOUNDARY.decode(), near_boundaries)
imports = sends("/api/v1/import?allHistory=true", "text/csv", files_of_others)
EXPORTS = (
    *(f"/api/v1/export/{name}" for name in ("csv", "jsonl", "opml", "takeout-csv", "newpipe", "freetube")),
    "/feeds/atom?limit=500", "/feeds/json?limit=500", "/v1/export", "/reader/api/0/subscription/export")
# Name, what one connection does, and what is done before. The last ones change what mallory has.
KINDS = [
    ("uploads of near-boundaries", uploads, None),
    ("previews of (a|aa)+$", previews("(a|aa)+$"), None),
    ("previews of (.*a){20}", previews("(.*a){20}"), None),
    ("abandoned previews", previews("(.*a){20}", abandon=True), None),
    ("lists of 10,000 subscriptions", reads("/v1/feeds", "/api/v1/channels", "/reader/api/0/subscription/list"), None),
    ("every export", reads(*EXPORTS), None),
    ("exports that are not read", hoards, None),
    ("100 event streams", streams, None),
    ("first searches", searches, forget_search),
    ("undos of 40,000 marks", undos, None),
    ("imports of CSV", imports, None),
    ("log exchange", logs, None),
]
