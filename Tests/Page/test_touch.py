"""Marks by swipes."""
from conftest import HOSTILE_CHANNEL
from views import becomes, card, ids, player_frame, sent, settled, visit


def swipe(page, video, by, down=0, steps=6):
    box = card(page, video).bounding_box()
    x, y = box["x"] + box["width"] / 2 - by / 2, box["y"] + min(40, box["height"] / 2)
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]})

    touch("touchStart", (x, y))
    for step in range(1, steps + 1):
        touch("touchMove", (x + by * step / steps, y + down * step / steps))
    # The finger rests before it leaves: after a fling Chromium takes the next tap for what stops it.
    for _ in range(4):
        page.wait_for_timeout(60)
        touch("touchMove", (x + by, y + down))
    touch("touchEnd")
    session.detach()


def phone(make_page, hub):
    page = make_page(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    visit(page, hub, "/")
    return page


def test_right_is_watched_and_left_is_skipped(make_page, hub):
    page = phone(make_page, hub)
    first, second, third = ids(page)[:3]
    swipe(page, first, 220)
    becomes("the first left", lambda: ids(page)[0] == second)
    settled(page)
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


def test_buttons_and_the_undo_at_the_top_take_taps(make_page, hub):
    page = phone(make_page, hub)
    first, second = ids(page)[:2]
    card(page, first).locator('button[value="save"]').tap()
    becomes("saved", lambda: hub.video(first)["saved"])
    card(page, second).locator(".menu").tap()
    page.locator("#menu button", has_text="Snooze until tomorrow").tap()
    becomes("snoozed", lambda: hub.status(second) == "snoozed")
    settled(page)
    for what, holds in (("new", lambda: hub.status(second) == "new"), ("not saved", lambda: not hub.video(first)["saved"])):
        page.get_by_role("button", name="Undo the last action").tap()
        becomes(what, holds)


def hold(page, video, milliseconds=700):
    """Presses a card for a while without moving."""
    box = card(page, video).locator("h3").bounding_box()
    session = page.context.new_cdp_session(page)
    point = {"x": box["x"] + 10, "y": box["y"] + 10}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_timeout(milliseconds)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_several_are_selected_by_a_long_press_and_taps(make_page, hub):
    page = phone(make_page, hub)
    videos = ids(page)[:3]
    assert page.locator(".select:visible").count() == 0
    hold(page, videos[0])
    becomes("the first is selected", lambda: page.locator(".select:checked").count() == 1)
    assert page.url == hub.url + "/", "a long press opens nothing"
    for video in videos[1:]:
        card(page, video).locator("h3 a").tap()
    becomes("three are selected", lambda: page.locator("#bulk output").inner_text() == "3 selected")
    page.locator('#bulk button[value="skip"]').tap()
    becomes("they left", lambda: not set(videos) & set(ids(page)))
    sent(page)
    assert {hub.status(video) for video in videos} == {"skipped"}
    page.locator(".toast button").last.tap()
    becomes("undone", lambda: {hub.status(video) for video in videos} == {"new"})
    # Without a selection a tap opens again.
    card(page, videos[0]).locator("h3 a").tap()
    page.wait_for_url(f"**/videos/{videos[0]}")


def test_the_player_is_started_moved_and_closed_by_taps(make_page, hub):
    page = phone(make_page, hub)
    first, second = ids(page)[:2]
    card(page, first).locator(".thumb").tap()
    player_frame(page)
    page.locator('#player [data-do="next"]').tap()
    page.wait_for_url(f"**/videos/{second}")
    player_frame(page)
    page.locator('nav a[href="/channels"]').tap()
    page.wait_for_url("**/channels")
    becomes("the corner", lambda: page.locator("#player").get_attribute("data-mode") == "mini")
    page.locator('#player [data-do="watched"]').tap()
    becomes("watched", lambda: hub.status(second) == "watched")
    page.locator('#player [data-do="close"]').tap()
    assert page.locator("iframe").count() == 0


def test_channels_and_rules_take_taps(make_page, hub):
    page = phone(make_page, hub)
    visit(page, hub, f"/channels/{HOSTILE_CHANNEL}")
    page.locator("summary", has_text="Settings").tap()
    page.locator('button[value="unfollow"]').tap()
    becomes("unfollowed", lambda: HOSTILE_CHANNEL not in hub.followed())
    page.locator(".toast button").last.tap()
    becomes("followed", lambda: HOSTILE_CHANNEL in hub.followed())
    visit(page, hub, "/rules")
    page.locator('[name="contains"]').fill("moon")
    page.locator('button[value="add"]').tap()
    becomes("added", lambda: len(hub.get("/rules")["rules"]) == 1)
    page.locator(".toast button").last.tap()
    becomes("gone", lambda: hub.get("/rules")["rules"] == [])


def test_targets_are_large_enough_for_fingers(make_page, hub):
    page = make_page(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    small = []
    for path in ("/", "/channels", "/rules", "/settings", f"/videos/{hub.listed()[0]}"):
        visit(page, hub, path)
        small += page.evaluate("""[...document.querySelectorAll('button, summary, nav a, .marks a, input, select')].filter((e) => {
            const { width, height } = e.getBoundingClientRect()
            return e.type !== 'hidden' && width && (width < 24 || height < 24)
        }).map((e) => e.outerHTML.slice(0, 80))""")
        # Nothing of a card is cut off.
        small += page.evaluate("""[...document.querySelectorAll('.card')].flatMap((card) => [...card.querySelectorAll('.marks > *')]
            .filter((e) => e.getBoundingClientRect().right > card.getBoundingClientRect().right + 6).map((e) => e.outerHTML.slice(0, 80)))""")
    assert small == []


def test_marks_are_44_pixels_on_a_phone(make_page, hub):
    page = phone(make_page, hub)
    small = page.evaluate("""[...document.querySelectorAll('.card .marks button, .card .marks a')].map((e) => e.getBoundingClientRect())
        .filter(({ top, width, height }) => top < innerHeight && width && (width < 44 || height < 44)).map(({ width, height }) => [width, height])""")
    assert small == []


def test_links_and_other_targets_are_24_pixels(make_page, hub):
    page = make_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    small = []
    for path in ("/", "/channels", "/collections", "/history", "/?q=the", "/undo"):
        visit(page, hub, path)
        small += page.evaluate("""[...document.querySelectorAll('a, button, summary, input, select')].filter((e) => {
            const { width, height } = e.getBoundingClientRect()
            return e.type !== 'hidden' && width && e.checkVisibility() && !e.closest('.vh, .skip-link, p, h3') && (width < 24 || height < 23.5)
        }).map((e) => e.outerHTML.slice(0, 90))""")
    assert small == []
