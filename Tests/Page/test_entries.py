"""Entries of feeds of other sites: what plays, what opens, and what is requested of whom."""
import io
import threading
import wave
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from views import becomes, card, ids, press, visit

FEED = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Tide Tables</title><link>{origin}/</link>
<item><title>Foghorn of the harbour</title><guid>one</guid><link>{origin}/one</link><pubDate>{date}</pubDate>
<enclosure url="{origin}/one.wav" type="audio/wav" length="480044"/></item>
<item><title>Foghorn of the lighthouse</title><guid>two</guid><link>{origin}/two</link><pubDate>{date}</pubDate>
<enclosure url="{origin}/two.wav" type="audio/wav" length="480044"/></item>
<item><title>What a sextant is</title><guid>three</guid><link>{origin}/three</link><pubDate>{date}</pubDate></item>
</channel></rss>"""


def silence(seconds):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(b"\x80" * 8000 * seconds)
    return file.getvalue()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.requests.append((self.path, self.headers.get("Referer")))
        body = {"/feed": self.server.feed, "/one.wav": SOUND, "/two.wav": SOUND}.get(self.path, b"")
        first, last, status = 0, len(body) - 1, 200 if body else 404
        if body and (asked := self.headers.get("Range")):
            first = int(asked.removeprefix("bytes=").split("-")[0])
            status = 206
        self.send_response(status)
        self.send_header("Content-Type", "audio/wav" if self.path.endswith("wav") else "application/rss+xml")
        self.send_header("Content-Length", str(len(body) - first))
        self.send_header("Accept-Ranges", "bytes")
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(body)}")
        self.end_headers()
        try:
            self.wfile.write(body[first:])
        except ConnectionError:
            pass  # The browser has enough.

    def log_message(self, *_):
        pass


SOUND = silence(60)


@pytest.fixture
def podcast(hub):
    """A followed feed with two sounds and an article; its server, and the IDs of its entries by title."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.requests = []
    origin = f"http://127.0.0.1:{server.server_port}"
    server.feed = FEED.format(origin=origin, date="Fri, 27 Nov 2026 08:00:00 GMT").encode()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hub.environment = hub.environment | {"METUBE_RSS_PRIVATE_NETWORKS": "yes"}
    hub.command("follow", f"{origin}/feed")
    hub.command("poll", "--rate", "0")
    server.origin = origin
    found = [video for platform in ("podcast", "web") for video in hub.get(f"/videos?platform={platform}&limit=50")["videos"]]
    server.entries = {video["title"]: video["entry"] for video in found}
    assert len(server.entries) == 3
    server.requests.clear()
    yield server
    server.shutdown()


def frame_of(page):
    page.wait_for_selector("#player iframe")
    frame = page.query_selector("#player iframe").content_frame()
    becomes("its element", lambda: frame.evaluate("document.querySelector('audio, video') !== null"))
    return frame


def start(page, video):
    card(page, video).locator(".thumb").click()
    page.wait_for_url(f"**/videos/{video}")
    return frame_of(page)


def test_a_sound_plays_in_a_frame_and_its_position_is_kept(page, hub, podcast):
    sound = podcast.entries["Foghorn of the harbour"]
    visit(page, hub, "/?q=foghorn")
    assert podcast.requests == [], "nothing before the click"
    frame = start(page, sound)
    assert frame.url.startswith(f"{hub.url}/play/{sound}")
    becomes("it plays", lambda: frame.evaluate("document.querySelector('audio').currentTime > 0"))
    assert {referrer for _, referrer in podcast.requests} == {None}
    frame.evaluate("document.querySelector('audio').currentTime = 20")
    becomes("kept", lambda: hub.video(sound)["progressSeconds"] >= 20)
    page.locator("nav a[href='/saved']").first.click()
    page.wait_for_url("**/saved")
    assert page.locator("#player").get_attribute("data-mode") == "mini"
    assert not frame.evaluate("document.querySelector('audio').paused"), "it plays on"
    visit(page, hub, "/?q=foghorn")
    frame = start(page, sound)
    becomes("where it was left", lambda: frame.evaluate("document.querySelector('audio').currentTime >= 20"))


def test_at_its_end_it_is_watched_and_the_next_sound_plays(page, hub, podcast):
    visit(page, hub, "/?q=foghorn")
    first, second = ids(page)
    frame = start(page, first)
    becomes("it plays", lambda: frame.evaluate("document.querySelector('audio').currentTime > 0"))
    frame.evaluate("document.querySelector('audio').currentTime = 59.5")
    page.wait_for_url(f"**/videos/{second}")
    becomes("watched", lambda: hub.status(first) == "watched")
    becomes("the next", lambda: f"/play/{second}" in page.locator("#player iframe").get_attribute("src"))


def test_a_sound_that_its_host_does_not_send_is_reported(page, hub, podcast, guard):
    guard.expected += ["two.wav", "404"]
    sound = podcast.entries["Foghorn of the lighthouse"]
    podcast.feed = b""
    visit(page, hub, "/?q=foghorn")
    # The file is gone by now.
    page.route("**/two.wav", lambda route: route.fulfill(status=404, body=""))
    card(page, sound).locator(".thumb").click()
    page.locator(".player-error", has_text="its server does not send it").wait_for()
    assert page.locator(".player-error a").get_attribute("href") == f"/videos/{sound}"


def test_an_article_opens_its_page(page, hub, podcast):
    article = podcast.entries["What a sextant is"]
    visit(page, hub, "/?q=sextant")
    card(page, article).locator(".thumb").click()
    page.wait_for_url(f"**/videos/{article}")
    link = page.locator(".stage .start")
    assert link.get_attribute("href") == f"{podcast.origin}/three" and link.get_attribute("aria-label") == "Open its page"
    assert page.locator("#player iframe").count() == 0
    assert podcast.requests == []


def test_a_frame_is_the_own_pages_alone(page, hub, podcast):
    sound = podcast.entries["Foghorn of the harbour"]
    response = page.request.get(f"{hub.url}/play/{sound}")
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'self'" in policy and "media-src http: https:" in policy
    assert response.headers["referrer-policy"] == "no-referrer"
    for other in (podcast.entries["What a sextant is"], "dQw4w9WgXcQ", "nothing"):
        assert page.request.get(f"{hub.url}/play/{other}").status == 404


def test_keys_play_it_and_stop_at_the_end_of_the_list(page, hub, podcast):
    visit(page, hub, "/?q=foghorn")
    press(page, "j", "j", "o")
    frame = frame_of(page)
    becomes("it plays", lambda: frame.evaluate("document.querySelector('audio').currentTime > 0"))
    press(page, "n")
    page.locator(".toast", has_text="last video").wait_for()
