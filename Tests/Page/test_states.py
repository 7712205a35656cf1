"""Honest states: outages, failing channels, what is hidden, the end of lists, where one is logged in, and first starts."""
import pytest

from conftest import HOSTILE_CHANNEL
from hub import ROOT, Feeds, Hub
from views import becomes, card, go, ids, press, toast, visit


@pytest.fixture
def broken(tmp_path):
    """Feeds of which tests take some away."""
    feeds = Feeds(tmp_path)
    yield feeds
    feeds.stop()


@pytest.fixture
def start(tmp_path, hub, embed, thumbnails):
    """Starts a hub on another home or on other feeds."""
    hubs = []

    def make(home, feeds):
        made = Hub(home, feeds, embed.origin, thumbnails.origin)
        hubs.append(made)
        return made

    yield make
    for each in hubs:
        each.stop()


def test_an_outage_says_since_when_and_until_when(make_page, hub, broken, start):
    for path in broken.folder.glob("*.xml"):
        path.unlink()
    hub.stop()
    again = start(hub.home, broken)
    again.command("poll", "--rate", "0", "--force", check=False)
    page = make_page()
    for path in ("/", "/channels", "/status"):
        visit(page, again, path)
        words = page.locator(".banner").inner_text()
        assert "since" in words and "next attempt is at" in words, path
    visit(page, again, "/")
    assert len(ids(page)) > 0, "what is known is shown all the same"
    assert "feeds were failing" in page.locator(".checked").inner_text()
    visit(page, again, "/channels?failing=true")
    assert page.locator(".rows li").count() == 0, "an outage blames no channel"


def test_a_failing_channel_shows_its_evidence(make_page, hub, broken, start):
    (broken.folder / f"{HOSTILE_CHANNEL}.xml").unlink()
    hub.stop()
    again = start(hub.home, broken)
    again.command("poll", "--rate", "0", "--force", check=False)
    page = make_page()
    visit(page, again, "/channels")
    page.locator(".summary a", has_text="1 failing").click()
    becomes("it alone", lambda: page.locator(".rows li").count() == 1)
    words = page.locator(".rows li").inner_text()
    assert "failing: HTTP 404" in words and "since" in words and "1 time" in words
    visit(page, again, "/status")
    assert page.locator("#failing ~ .rows li").count() == 1
    visit(page, again, f"/channels/{HOSTILE_CHANNEL}")
    assert "failing: HTTP 404" in page.locator("main").inner_text()


def test_what_is_hidden_is_counted_with_a_link_that_shows_it(page, hub):
    hub.post("/rules", {"verdict": "block", "contains": "moon"})
    hidden = hub.get("/videos?limit=1")["hidden"]
    assert hidden["shorts"] > 0 and hidden["rules"] > 0
    visit(page, hub, "/")
    page.locator(".hidden-line a", has_text=f"{hidden['shorts']} Shorts").click()
    becomes("the Shorts", lambda: page.locator("h1").inner_text() == "Feed" and set(ids(page)) == set(hub.listed("&shorts=only")))
    visit(page, hub, "/")
    count = page.locator(".summary").inner_text()
    page.locator(".hidden-line a", has_text=f"{hidden['rules']} hidden by rules").click()
    becomes("more", lambda: page.locator(".summary").inner_text() != count)
    video = hub.get("/videos?limit=1&search=moon&noRules=true")["videos"][0]["video"]
    visit(page, hub, f"/videos/{video}")
    assert "a rule hides it" in page.locator('[aria-labelledby="why"]').inner_text()
    page.locator("a", has_text="Show it in a list").click()
    becomes("it is in the list", lambda: video in ids(page))


@pytest.mark.parametrize("status", ["watched", "skipped"])
def test_a_marked_video_links_to_a_list_that_shows_it(page, hub, status):
    video = ids(page)[0]
    hub.mark(video, status=status)
    visit(page, hub, f"/videos/{video}")
    page.locator("a", has_text="Show it in a list").click()
    becomes("it is in the list", lambda: video in ids(page))


def test_the_end_of_a_list_is_said_once_all_is_shown(page, hub):
    assert page.locator(".end").count() == 0
    while page.locator("a.more").count():
        count = len(ids(page))
        page.locator("a.more").click()
        becomes("more", lambda: len(ids(page)) > count or page.locator(".end").count() == 1)
    assert page.locator(".end").inner_text() == "You’re all caught up."
    assert len(ids(page)) == hub.get("/videos?limit=1")["matching"]


def test_the_end_is_said_after_the_last_mark(page, hub):
    visit(page, hub, "/?q=moon")
    count = len(ids(page))
    press(page, "j", *"m" * count)
    page.locator(".end", has_text="Nothing in this list matches").wait_for()
    assert page.locator(".elsewhere").inner_text().startswith("Also matching:")


def test_a_check_shows_when_it_was_without_moving_anything(page, hub):
    hub.command("poll", "--rate", "0", "--force")
    visit(page, hub, "/")
    page.evaluate("document.querySelector('.checked').textContent = 'long ago'")
    hub.command("poll", "--rate", "0", "--force")
    becomes("the words", lambda: page.locator(".checked").inner_text().startswith("Checked"))


def test_sessions_are_listed_and_ended(make_page, hub, guard):
    guard.expected += ["401"]
    hub.stop()
    hub.add_user("ann", "a long password")
    hub.start()

    def log_in(**options):
        page = make_page(**options)
        page.goto(hub.url + "/settings")
        page.locator('[name="name"]').fill("ann")
        page.locator('[name="password"]').fill("a long password")
        go(page, lambda: page.locator('[name="password"]').press("Enter"))
        assert page.url == hub.url + "/settings"
        return page

    page = log_in()
    others = [log_in(user_agent="Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0") for _ in range(2)]
    page.reload()
    rows = page.locator('[aria-labelledby="sessions"] li')
    assert rows.count() == 3
    assert sorted(row.split("\n")[0] for row in rows.all_inner_texts())[1:] == ["Firefox on Android"] * 2
    assert page.locator('[aria-labelledby="sessions"] li', has_text="this browser").count() == 1
    page.locator('button[value="end"]').first.click()
    becomes("two", lambda: rows.count() == 2)
    page.locator('button[value="others"]').click()
    becomes("one", lambda: rows.count() == 1)
    for other in others:
        other.goto(hub.url + "/settings")
        assert "/login" in other.url
    go(page, lambda: page.locator('[action="/logout"] button').click())
    assert "/login" in page.url


@pytest.fixture
def empty(tmp_path, feeds, start):
    home = tmp_path / "empty"
    home.mkdir()
    return start(home, feeds)


def test_the_first_start_offers_the_starter_list(make_page, empty):
    page = make_page()
    visit(page, empty, "/")
    assert page.locator("h1").inner_text() == "Welcome"
    page.locator("button", has_text="Follow the starter list").click()
    becomes("twenty", lambda: len(empty.followed()) == 20)
    page.locator('.toast button:text-is("Check now")').click()
    becomes("videos", lambda: empty.get("/videos?limit=1")["matching"] > 100)
    becomes("they are offered", lambda: page.locator("#fresh").is_visible() or len(ids(page)) > 0)


def test_the_first_start_takes_a_dropped_file(make_page, empty):
    page = make_page()
    visit(page, empty, "/")
    text = (ROOT / "feeds.opml").read_text()
    transfer = page.evaluate_handle("""text => {
        const data = new DataTransfer()
        data.items.add(new File([text], 'feeds.opml', { type: 'text/xml' }))
        return data
    }""", text)
    page.dispatch_event("main", "dragover", {"dataTransfer": transfer})
    assert page.locator(".drop.over").count() == 1
    page.dispatch_event("main", "drop", {"dataTransfer": transfer})
    page.locator("h1", has_text="Import").wait_for()
    assert len(empty.followed()) == 20
    assert page.locator(".notice button", has_text="Check now").count() == 1


def test_the_first_start_without_script(make_page, empty):
    page = make_page(javascript=False)
    page.goto(empty.url + "/")
    page.locator('input[type="file"]').set_input_files(ROOT / "feeds.opml")
    go(page, lambda: page.locator('button[value="import"]').click())
    assert len(empty.followed()) == 20
    go(page, lambda: page.locator(".notice button", has_text="Check now").click())
    becomes("videos", lambda: empty.get("/videos?limit=1")["matching"] > 100)
    page.goto(empty.url + "/")
    assert len(ids(page)) == 60


def test_an_address_that_does_not_exist_says_so(page, hub, guard):
    guard.expected.append("404")
    visit(page, hub, "/nowhere/at/all")
    assert "There is nothing at this address" in page.locator("#main").inner_text()


def test_pictures_that_are_blocked_leave_no_broken_icons(make_page, hub, guard):
    guard.is_offline = True
    page = make_page()
    page.route("**/vi/**", lambda route: route.abort("blockedbyclient"))
    visit(page, hub, "/")
    becomes("hidden", lambda: page.eval_on_selector(".thumb img", "image => getComputedStyle(image).visibility") == "hidden")


def test_what_is_current_or_selected_has_an_outline_in_forced_colours(make_page, hub):
    page = make_page(forced_colors="active")
    visit(page, hub, "/")
    press(page, "j")
    page.evaluate("document.querySelectorAll('.card .select')[1].checked = true")
    outline = "cards => cards.slice(0, 3).map(card => getComputedStyle(card).outlineStyle)"
    assert page.eval_on_selector_all(".card", outline) == ["solid", "dashed", "none"]


def test_a_slow_view_shows_that_it_loads(page, hub):
    held = []
    page.route("**/channels", lambda route: held.append(route))
    press(page, "g", "c")
    becomes("the view is requested", lambda: page.evaluate("1") and held)
    becomes("a bar", lambda: float(page.evaluate("getComputedStyle(document.documentElement, '::before').opacity")) == 1)
    held[0].continue_()
    page.wait_for_url(hub.url + "/channels")
    assert page.evaluate("getComputedStyle(document.documentElement, '::before').content") == "none"
