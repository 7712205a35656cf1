"""Following by name, and Discover, with a stand-in of the Data API."""
import base64
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from views import go, ids, visit

KURZGESAGT = "UCsXVk37bltHxD1rDPwtNM8Q"
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@pytest.fixture
def searching(hub, feeds):
    """A hub with a key that no longer follows Kurzgesagt."""
    hub.command("unfollow", KURZGESAGT)
    hub.use_key(feeds)
    return hub


def opened(make_page, hub, path, **options):
    page = make_page(**options)
    page.route("https://yt3.ggpht.com/**", lambda route: route.fulfill(body=PICTURE, content_type="image/png"))
    page.goto(hub.url + path)
    return page


@pytest.mark.parametrize("javascript", [True, False])
def test_a_name_shows_choices_and_one_click_follows(make_page, searching, javascript):
    page = opened(make_page, searching, "/channels", javascript=javascript)
    page.locator("#source").fill("in a nutshell")
    page.locator(".follow button.main").click()
    page.wait_for_url(re.compile(r"/follow\?name=in(%20|\+)a(%20|\+)nutshell$"))
    row = page.locator(".rows.channels li")
    assert row.count() == 1 and "followed earlier" in row.inner_text()
    assert "100 of 5000 units" in page.locator('button[value="search"]').inner_text()
    row.locator("button").click()
    page.locator(".notice, .toast").first.wait_for()
    assert KURZGESAGT in searching.followed()


@pytest.mark.parametrize("javascript", [True, False])
def test_youtube_is_searched_by_its_button_alone(make_page, searching, javascript):
    page = opened(make_page, searching, "/follow?name=nutshell", javascript=javascript)
    assert "0 of 5000" in searching.command("status")
    page.locator('button[value="search"]').click()
    page.locator(".end", has_text="YouTube found nothing else").wait_for()
    assert "100 of 5000" in searching.command("status")
    page.goto(searching.url + "/discover?q=moon")
    assert page.locator('button[value="search"]').is_visible()
    page.locator('button[value="search"]').click()
    page.locator("#youtube").wait_for()
    assert "200 of 5000" in searching.command("status")
    page.goto(searching.url + "/discover?q=moon")
    assert page.locator("#youtube").is_visible(), "what was found is still there"
    assert "200 of 5000" in searching.command("status")


def test_discover_is_empty_without_words(make_page, searching):
    page = opened(make_page, searching, "/discover")
    assert page.locator(".card").count() == 0 and "before you search" in page.locator("main").inner_text()
    page.locator("#words").fill("moon")
    page.keyboard.press("Enter")
    page.locator(".card").first.wait_for()
    assert page.url.endswith("/discover?q=moon") and ids(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_results_are_accessible(make_page, searching, scheme):
    page = opened(make_page, searching, "/discover?q=moon", color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page.locator('button[value="search"]').click()
    page.locator("#youtube").wait_for()
    found = Axe().run(page).response["violations"]
    page.goto(searching.url + "/follow?name=a")
    page.locator('button[value="search"]').click()
    page.locator("#youtube, .end").first.wait_for()
    found += Axe().run(page).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []


@pytest.mark.parametrize("width", [390, 1280])
def test_results_fit(make_page, searching, width):
    page = opened(make_page, searching, "/follow?name=a", viewport={"width": width, "height": 800})
    page.locator('button[value="search"]').click()
    page.locator("#youtube, .end").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
