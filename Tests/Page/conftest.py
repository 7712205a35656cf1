"""One browser for all tests; each test has a hub on a copy of one prepared home, and a page that complains."""
import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, sync_playwright

from hub import CLEAN, ROOT, Feeds, Hub
from standins import StandIn
from views import PATIENCE

HOSTILE = [
    "&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;",
    "&quot;&gt;&lt;/a&gt;&lt;/main&gt;&lt;svg onload=alert(1)&gt; javascript:alert(1) &amp;amp; &amp;lt;b&amp;gt;",
    "\u202eright to left override \u2066and an isolate that never ends",
    "W" + "o" * 90 + "rd",
    "مرحبا بالعالم: عنوان طويل باللغة العربية للاختبار",
    "日本語の題名は空白がなくてもどこでも折り返すことができるはずです。長い題名の試験。",
]
HOSTILE_CHANNEL = "UC9-y-6csu5WGm29I7JiwpnA"


def click_when_still(click=Locator.click):
    """Playwright waits until an element stands still before it scrolls there, and clicks in the same frame: what moves
    between press and release, as cards near it are laid out, is not clicked. No person is that fast."""
    def scroll_first(self, **options):
        self.evaluate("""element => {
            const { top, bottom } = element.getBoundingClientRect()
            if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: 'center', behavior: 'instant' })
        }""")
        click(self, **options)

    return scroll_first


Locator.click = click_when_still()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        # Nothing but this machine is reached.
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def embed():
    server = StandIn()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def thumbnails():
    server = StandIn()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def feeds(tmp_path_factory):
    feeds = Feeds(tmp_path_factory.mktemp("server"))
    feeds.rename(HOSTILE_CHANNEL, HOSTILE)
    yield feeds
    feeds.stop()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory, feeds, embed, thumbnails):
    """A home with the demo's 20 channels and 300 videos."""
    home = tmp_path_factory.mktemp("prepared")
    hub = Hub(home, feeds, embed.origin, thumbnails.origin)
    hub.stop()
    hub.command("import", str(ROOT / "feeds.opml"))
    hub.command("poll", "--rate", "0")
    return home


@pytest.fixture
def hub(prepared, tmp_path, feeds, embed, thumbnails):
    home = tmp_path / "home"
    shutil.copytree(prepared, home)
    hub = Hub(home, feeds, embed.origin, thumbnails.origin)
    yield hub
    hub.stop()


class Guard:
    """What a page must never do: violate its policy, report an error, request what fails."""

    def __init__(self):
        self.complaints = []
        #: Whether failures of the network are part of the test.
        self.is_offline = False
        #: Parts of messages that the test provokes.
        self.expected = ["Service Worker registration blocked by Playwright"]

    def complain(self, text):
        is_network = self.is_offline and any(word in text for word in ("ERR_", "failed:", "Failed to load resource"))
        if not is_network and not any(word in text for word in self.expected):
            self.complaints.append(text)

    def watch(self, context):
        context.on("console", lambda message: message.type in ("error", "warning") and self.complain(f"console: {message.text}"))
        context.on("weberror", lambda error: self.complain(f"error: {error.error}"))
        context.on("dialog", lambda dialog: (self.complain(f"dialog: {dialog.message}"), dialog.dismiss()))
        context.on("response", lambda response: response.status >= 400 and self.complain(f"status {response.status}: {response.url}"))

        def failed(request):
            # Streams and requests of a view that was left.
            if "ERR_ABORTED" not in (request.failure or ""):
                self.complain(f"failed: {request.url} {request.failure}")

        context.on("requestfailed", failed)
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))")


@pytest.fixture
def guard():
    guard = Guard()
    yield guard
    assert not guard.complaints, "\n".join(guard.complaints)


@pytest.fixture
def make_page(browser, guard, hub):
    """Opens windows: `make_page(javascript=False)`, with the options of Playwright's contexts. They close before the hub
    ends."""
    contexts = []

    def make(javascript=True, **options):
        options = {"viewport": {"width": 1280, "height": 800}, "service_workers": "block"} | options
        context = browser.new_context(java_script_enabled=javascript, **options)
        contexts.append(context)
        guard.watch(context)
        # While one works on script or style: the files instead of what is built into the hub, each module by itself.
        if folder := os.environ.get("PAGE_ASSETS"):
            script = {"content_type": "text/javascript"}
            context.route("**/script.js*", lambda route: route.fulfill(body="import './script/start.mjs'", **script))
            context.route("**/script/*.mjs", lambda route: route.fulfill(
                path=f"{folder}/script/{route.request.url.rsplit('/', 1)[1]}", **script))
            context.route("**/style.css*", lambda route: route.fulfill(
                body="".join(Path(folder, "style", f"{part}.css").read_text() for part in ("frame", "list", "views")),
                content_type="text/css"))
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        return page

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(make_page, hub):
    """A window on the feed."""
    page = make_page()
    page.goto(hub.url + "/")
    page.wait_for_selector("html.scripted")
    return page
