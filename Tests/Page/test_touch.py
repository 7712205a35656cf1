"""Marks by swipes."""
from views import becomes, card, ids, sent, visit


def swipe(page, video, by, down=0, steps=6):
    box = card(page, video).bounding_box()
    x, y = box["x"] + box["width"] / 2 - by / 2, box["y"] + min(40, box["height"] / 2)
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]})

    touch("touchStart", (x, y))
    for step in range(1, steps + 1):
        touch("touchMove", (x + by * step / steps, y + down * step / steps))
    touch("touchEnd")


def phone(make_page, hub):
    page = make_page(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    visit(page, hub, "/")
    return page


def test_right_is_watched_and_left_is_skipped(make_page, hub):
    page = phone(make_page, hub)
    first, second, third = ids(page)[:3]
    swipe(page, first, 220)
    becomes("the first left", lambda: ids(page)[0] == second)
    swipe(page, second, -220)
    becomes("the second left", lambda: ids(page)[0] == third)
    sent(page)
    assert (hub.status(first), hub.status(second)) == ("watched", "skipped")
    assert page.url == hub.url + "/", "a swipe is no tap"
    page.locator(".toast button").last.tap()
    becomes("undone", lambda: hub.status(second) == "new")


def test_a_short_swipe_and_a_scroll_mark_nothing(make_page, hub):
    page = phone(make_page, hub)
    first = ids(page)[0]
    swipe(page, first, 40)
    swipe(page, first, 60, down=300)
    becomes("at rest", lambda: page.evaluate("!document.querySelector('.swiping')"))
    assert card(page, first).evaluate("card => card.style.getPropertyValue('--swipe')") == ""
    assert hub.status(first) == "new" and ids(page)[0] == first
    assert page.url == hub.url + "/"


def test_a_tap_opens_a_video(make_page, hub):
    page = phone(make_page, hub)
    first = ids(page)[0]
    card(page, first).locator("h3 a").tap()
    page.wait_for_url(f"**/videos/{first}")
