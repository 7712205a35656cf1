"""What three users of the benchmark of fairness follow: invented feeds, served and polled."""
import random, subprocess, time

from sandbox import Broken, DatabaseHub, channel, server

# How many entries a feed has, how many channels a user may follow, how many videos are marked in one go.
ENTRIES, SUBSCRIPTIONS, MARKS = 15, 10_000, 40_000
OTHERS = ("ann", "bob")
WORDS = "how to build a small lantern from copper and paper without a sawmill in winter as usual".split()
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def video(number):
    letters = ""
    for _ in range(10):
        letters = LETTERS[number * 7919 % 64] + letters
        number //= 64
    return letters + "A"


def feed(number, random):
    """A feed whose descriptions of 0.7 KB end as the costliest texts of the patterns do."""
    now, name, entries = time.time() - 86_400, f"Channel {number}", []
    for index in range(ENTRIES):
        place = number * ENTRIES + index
        at = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(now - index * 86_400 - number * 11))
        text = " ".join(random.choices(WORDS, k=125)) + f" word{place} " + "a" * 40 + "!"
        entries.append(
            f"<entry><id>yt:video:{video(place)}</id><yt:videoId>{video(place)}</yt:videoId>"
            f"<yt:channelId>{channel(number)}</yt:channelId><title>{' '.join(random.choices(WORDS, k=7))} {place}</title>"
            f'<link rel="alternate" href="https://www.youtube.com/watch?v={video(place)}"/>'
            f"<author><name>{name}</name></author><published>{at}</published><updated>{at}</updated>"
            f"<media:group><media:description>{text}</media:description></media:group></entry>")
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" '
        'xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">'
        f"<id>yt:channel:{channel(number)[2:]}</id><yt:channelId>{channel(number)[2:]}</yt:channelId>"
        f"<title>{name}</title><author><name>{name}</name></author><published>2020-01-01T00:00:00+00:00</published>"
        + "".join(entries) + "</feed>")


class Feeds:
    """A server of the invented feeds, for the time of a `with`."""

    def __init__(self, sandbox, channels):
        self.folder = sandbox.folder / "feeds"
        self.folder.mkdir()
        generator = random.Random(7)
        for number in range(channels):
            (self.folder / f"{channel(number)}.xml").write_text(feed(number, generator))
        self.port = sandbox.folder / "feeds-port"
        self.process = subprocess.Popen(
            [server, str(self.folder), "--port-file", str(self.port), "--exit-after", "14400"], stdout=subprocess.DEVNULL)
        while not self.port.exists():
            time.sleep(0.02)
        sandbox.environment["METUBE_RSS_FEEDS_URL"] = "http://127.0.0.1:" + self.port.read_text().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def fill(hub, channels):
    """Lets all users follow the channels, polls them, and lets mallory follow as many as anybody may."""

    def follow(user, numbers, query=""):
        lines = "\n".join(channel(number) for number in numbers).encode()
        status, answer = hub.ask(user, "POST", "/api/v1/import" + query, lines)
        if status != 200 or answer["new"] + answer.get("changed", 0) < len(numbers):
            raise Broken(f"import: {status} {answer}")

    tagged = min(channels, MARKS // ENTRIES)
    for user in (*OTHERS, "mallory"):
        hub.add(user)
    hub.start("--no-poll")
    for user in OTHERS:
        follow(user, range(channels))
    follow("mallory", range(tagged), "?tag=many")
    if tagged < channels:
        follow("mallory", range(tagged, channels))
    hub.take_follows("ann", channels)
    hub.end()
    hub.poll()
    hub.start("--no-poll")
    if channels < SUBSCRIPTIONS:
        follow("mallory", range(channels, SUBSCRIPTIONS))
    for user in (*OTHERS, "mallory"):
        if (found := hub.get(user, "/api/v1/videos?limit=50")["matching"]) < channels * ENTRIES:
            raise Broken(f"{user} sees {found} videos")
    if isinstance(hub, DatabaseHub):
        hub.query("ANALYZE")
