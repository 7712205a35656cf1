"""Measures the page in Chromium, on a hub with 100,000 videos: the first view, marks, and scrolling through 1,000 cards.

Needs `make tools hub` and the Python of `make page-test`: .bench/page/bin/python Benchmarks/page.py [VIDEOS [CHANNELS]]
"""
import gzip
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Tests/Page"))
from hub import BUILD, CLEAN, Hub, wait_for  # noqa: E402
from standins import StandIn  # noqa: E402

MARK = """async (key) => {
  const card = document.querySelector('.card.current')
  const began = performance.now()
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  const isSeen = card.classList.contains('leaving') || card.hidden
  const work = performance.now() - began
  await new Promise((done) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0) }))
  const frame = performance.now() - began
  while (Object.keys(localStorage).some((key) => key.startsWith('change:'))) await new Promise((done) => setTimeout(done, 2))
  const request = performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/marks')).at(-1)
  performance.clearResourceTimings()
  await new Promise((done) => setTimeout(done, 250))
  return { isSeen, work, frame, acknowledged: request.responseEnd - began }
}"""

SCROLL = """() => new Promise((done) => {
  const frames = []
  let last = performance.now()
  scrollTo(0, 0)
  const step = (now) => {
    frames.push(now - last)
    last = now
    if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) return done(frames.slice(1))
    scrollBy({ top: 150, behavior: 'instant' })
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})"""


class NoFeeds:
    url = "http://127.0.0.1:9"


def fetch(url):
    """The bytes of a URL as sent, and the milliseconds that it took."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip", "Accept": "text/html"})
    began = time.perf_counter()
    with urllib.request.urlopen(request) as response:
        body = response.read()
        packed = response.headers["Content-Encoding"] == "gzip"
    return body, packed, 1000 * (time.perf_counter() - began)


def first_view(hub):
    sizes, times = [], []
    for turn in range(21):
        # A query of its own, so that no recent answer is given again.
        body, packed, took = fetch(f"{hub.url}/?minDuration={turn}s")
        times.append(took)
    body, packed, _ = fetch(hub.url + "/")
    document = gzip.decompress(body) if packed else body
    sizes.append(len(body))
    for name in ("style.css", "script.js"):
        link = re.search(rb'(?:href|src)="(/%s[^"]*)"' % name.encode(), document)[1].decode()
        sizes.append(len(fetch(hub.url + link)[0]))
    return times, sizes


def main():
    videos, channels = int((sys.argv + ["100000"])[1]), int((sys.argv + ["", "500"])[2] or 500)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        subprocess.run([BUILD / "bench-log", "make", home, str(videos), str(channels)], check=True, env=CLEAN)
        pictures = StandIn()
        hub = Hub(home, NoFeeds, pictures.origin, pictures.origin)
        try:
            measure(hub)
        finally:
            hub.stop()


def measure(hub):
    times, (html, style, script) = first_view(hub)
    print(f"first view: {statistics.median(times):.1f} ms at the server (median of {len(times)}), "
          f"{html + style + script:,} bytes compressed (HTML {html:,}, style {style:,}, script {script:,})")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(hub.url + "/")
        page.wait_for_selector("html.scripted")
        page.keyboard.press("j")
        marks = [page.evaluate(MARK, "m") for _ in range(31)][1:]
        assert all(mark["isSeen"] for mark in marks), "a mark is seen in the frame after the key"
        print("a mark: "
              f"{statistics.median(mark['work'] for mark in marks):.1f} ms of work before the next frame, which was there after "
              f"{statistics.median(mark['frame'] for mark in marks):.1f} ms; acknowledged after "
              f"{statistics.median(mark['acknowledged'] for mark in marks):.1f} ms (medians of {len(marks)}; "
              f"at most {max(mark['acknowledged'] for mark in marks):.0f})")
        page.goto(hub.url + "/")
        page.wait_for_selector("html.scripted")
        while (count := page.locator(".card").count()) < 1000:
            page.locator("a.more").click()
            wait_for("more cards", lambda: page.locator(".card").count() > count)
        frames = page.evaluate(SCROLL)
        print(f"scrolling {count:,} cards: {len(frames):,} frames, median {statistics.median(frames):.1f} ms, "
              f"longest {max(frames):.0f} ms, {sum(frame > 50 for frame in frames)} over 50 ms")
        browser.close()


main()
