"""The head of a list: one row of chips, a sheet with the other filters, and those in force in one line."""
import pytest

from conftest import HOSTILE_CHANNEL
from views import becomes, go, ids, press, visit


def top(page):
    return page.locator("#main .card").first.bounding_box()["y"]


def whole_cards(page):
    """How many cards are seen whole, above what is fixed at the bottom."""
    return page.evaluate("""(() => {
        const nav = document.querySelector('nav[aria-label=Main]').getBoundingClientRect()
        const bottom = nav.top > innerHeight / 2 ? nav.top : innerHeight
        return [...document.querySelectorAll('#main .card')].filter((card) => card.getBoundingClientRect().bottom <= bottom).length
    })()""")


@pytest.mark.parametrize("width, height, phone, most, whole", [
    (1280, 800, False, 170, 3), (390, 844, True, 200, 2), (844, 390, True, 390, 1), (320, 640, True, 240, 2)])
def test_the_first_card_begins_near_the_top(make_page, hub, width, height, phone, most, whole):
    page = make_page(viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone)
    visit(page, hub, "/")
    assert top(page) <= most
    assert whole_cards(page) >= whole


@pytest.mark.parametrize("path", ["/", "/?mode=catch-up"])
def test_what_is_listed_stands_beside_the_first_heading_and_covers_nothing(make_page, hub, path):
    for width in (320, 390, 768, 1000, 1280, 1920):
        page = make_page(viewport={"width": width, "height": 800})
        visit(page, hub, path)
        overlaps = page.evaluate("""(() => {
            const parts = [...document.querySelectorAll('.list-head h1, .list-head .tabs, .list-head .filter, .summary, .poll, #list h2')].slice(0, 6)
                .map((part) => [part.className || part.tagName, part.getBoundingClientRect()])
            return parts.flatMap(([name, a], index) => parts.slice(index + 1).filter(([, b]) =>
                Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
                .map(([other]) => name + ' and ' + other))
        })()""")
        assert overlaps == [], width
        page.close()


def test_the_sheet_opens_by_its_button_and_by_a_key_and_closes_by_escape(page):
    sheet = page.locator("#filter")
    assert sheet.is_hidden()
    page.locator("button.filter").click()
    assert sheet.is_visible()
    press(page, "m", "Escape")
    assert sheet.is_hidden()
    assert page.evaluate("document.activeElement.className") == "filter"
    page.locator("main").focus()
    press(page, "f")
    assert sheet.is_visible()
    assert page.evaluate("document.activeElement.closest('#filter') !== null")
    sheet.locator('[aria-label="Close the filters"]').click()
    assert sheet.is_hidden()


def test_filters_in_force_are_named_and_removed_one_by_one(page, hub):
    page.locator("button.filter").click()
    page.locator("#filter a", has_text="Science").first.click()
    page.wait_for_url("**/?tag=Science")
    page.locator("button.filter").click()
    page.locator('#filter a:text-is("All")').click()
    page.wait_for_url("**/?tag=Science&status=all")
    in_force = page.locator(".filters li")
    becomes("both", lambda: [each.split("\n")[0] for each in in_force.all_inner_texts()] == ["tag Science", "every status"])
    assert page.locator("button.filter .badge").inner_text() == "2"
    in_force.first.locator("a").click()
    page.wait_for_url("**/?status=all")
    in_force.first.locator("a").click()
    page.wait_for_url(hub.url + "/")
    becomes("none", lambda: page.locator(".filters").count() == 0)


def test_limits_of_length_are_fields_of_the_sheet(page, hub):
    page.locator("button.filter").click()
    page.locator("#filter #l-since").fill("2020-01-01")
    page.locator("#filter #l-minDuration").fill("10m")
    page.locator("#filter button.main").click()
    page.wait_for_url("**/?minDuration=10m&since=2020-01-01")
    becomes("they are named", lambda: [each.split("\n")[0] for each in page.locator(".filters li").all_inner_texts()]
            == ["at least 10m", "since 2020-01-01"])
    page.locator("button.filter").click()
    assert page.locator("#filter #l-minDuration").input_value() == "10m"


def test_the_sheet_works_without_script(make_page, hub):
    page = make_page(javascript=False)
    page.goto(hub.url + "/")
    page.locator("button.filter").click()
    go(page, lambda: page.locator('#filter a:text-is("Watched")').click())
    assert page.url.endswith("/?status=watched") and ids(page) == []
    page.locator("button.filter").click()
    page.locator("#filter #l-maxDuration").fill("5m")
    go(page, lambda: page.locator("#filter button.main").click())
    assert [each.split("\n")[0] for each in page.locator(".filters li").all_inner_texts()] == ["watched only", "at most 5m"]
    go(page, lambda: page.locator(".filters a").first.click())
    assert page.url.endswith("/?maxDuration=5m")


def test_channels_and_their_lists_have_the_same_bar(page, hub):
    visit(page, hub, "/channels")
    page.locator("button.filter").click()
    page.locator("#filter a", has_text="Science").first.click()
    page.wait_for_url("**/channels?tag=Science")
    page.locator(".filters a").click()
    page.wait_for_url("**/channels")
    visit(page, hub, f"/channels/{HOSTILE_CHANNEL}")
    page.locator("button.filter").click()
    page.locator('#filter a:text-is("Watched")').click()
    page.wait_for_url(f"**/channels/{HOSTILE_CHANNEL}?status=watched")


def test_the_chosen_chip_is_in_sight(make_page, hub):
    page = make_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visit(page, hub, "/?mode=shorts")
    chip = page.locator(".tabs [aria-current]").bounding_box()
    assert chip["x"] >= 0 and chip["x"] + chip["width"] <= 390
