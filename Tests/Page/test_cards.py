"""Cards: their menus and pictures, the selection, and times in the reader's zone."""
import datetime

import pytest

from conftest import HOSTILE_CHANNEL
from views import becomes, card, current, ids, press, sent, toast, visit


def open_menu(page, video):
    card(page, video).locator(".menu").click()
    page.locator("#menu").wait_for()


def choose(page, text):
    page.locator("#menu button, #menu a", has_text=text).click()


@pytest.mark.parametrize("line, until", [("tonight", 1), ("tomorrow", 2), ("the weekend", 8)])
def test_the_menu_snoozes(page, hub, line, until):
    first = ids(page)[0]
    open_menu(page, first)
    choose(page, f"Snooze until {line}")
    becomes("snoozed", lambda: hub.status(first) == "snoozed")
    end = datetime.datetime.fromisoformat(hub.video(first)["snoozedUntil"].replace("Z", "+00:00"))
    left = end - datetime.datetime.now(datetime.UTC)
    assert datetime.timedelta() < left < datetime.timedelta(days=until)
    press(page, "u")
    becomes("new", lambda: hub.status(first) == "new")


def test_the_menu_is_used_by_keys_alone(page, hub):
    first, second = ids(page)[:2]
    press(page, "j", ".")
    assert page.evaluate("document.activeElement.role") == "menuitem"
    press(page, "ArrowDown", "ArrowDown", "ArrowUp", "Enter")
    becomes("the second line", lambda: hub.status(first) == "snoozed")
    becomes("the next is current", lambda: current(page) == second)
    press(page, ".")
    assert page.locator("#menu").is_visible()
    press(page, "m", "Escape")
    assert page.locator("#menu").is_hidden() and hub.status(second) == "new"
    press(page, ".", "t")
    becomes("snoozed by its letter", lambda: hub.status(second) == "snoozed")


def test_snoozing_until_tonight_and_the_weekend_has_keys(page, hub):
    first, second = ids(page)[:2]
    press(page, "j", "t", "w")
    becomes("both", lambda: {hub.status(first), hub.status(second)} == {"snoozed"})


def test_a_collection_is_picked_or_made_in_the_menu(page, hub):
    first, second = ids(page)[:2]
    open_menu(page, first)
    choose(page, "Add to a collection")
    page.locator("#menu input").fill("Trains & more")
    page.locator("#menu input").press("Enter")
    becomes("added", lambda: hub.video(first)["collections"] == ["Trains & more"])
    open_menu(page, second)
    choose(page, "Add to a collection")
    choose(page, "Trains & more")
    becomes("added", lambda: hub.video(second)["collections"] == ["Trains & more"])
    toast(page, "Added to Trains & more")


def test_hide_like_this_fills_in_a_rule_with_its_preview(page, hub):
    first, channel = ids(page)[0], page.locator(".card").first.get_attribute("data-channel")
    open_menu(page, first)
    choose(page, "Hide videos like this")
    page.wait_for_url(f"**/rules?like={first}")
    becomes("the form", lambda: page.locator('[name="channel"]').input_value() == channel)
    assert page.locator('[name="contains"]').input_value() and first in ids(page)
    assert page.locator("h2", has_text="It would hide").count() == 1
    page.locator('button[value="add"]').click()
    becomes("added", lambda: len(hub.get("/rules")["rules"]) == 1)
    assert first not in hub.listed()


@pytest.mark.parametrize("line, member", [("Hide Shorts of", "shorts"), ("Hide streams of", "live")])
def test_a_channel_is_muted_and_undone(page, hub, line, member):
    first, channel = ids(page)[0], page.locator(".card").first.get_attribute("data-channel")
    if member == "shorts":
        hub.ask("PATCH", f"/api/v1/channels/{channel}", {"shorts": "show"})
    open_menu(page, first)
    choose(page, line)
    becomes("hidden", lambda: hub.followed()[channel][member] == "hide")
    toast(page, "Changed: ")
    assert page.url == hub.url + "/"
    press(page, "u")
    becomes("shown", lambda: hub.followed()[channel][member] == "show")


def test_a_channel_is_unfollowed_and_undone(page, hub):
    first, channel = ids(page)[0], page.locator(".card").first.get_attribute("data-channel")
    open_menu(page, first)
    choose(page, "Unfollow")
    becomes("unfollowed", lambda: channel not in hub.followed())
    becomes("its videos left", lambda: first not in ids(page))
    page.locator(".toast button", has_text="Undo").last.click()
    becomes("followed", lambda: channel in hub.followed())


def test_names_of_controls_have_the_title(page):
    names = page.locator("#main .card").first.evaluate("""(card) => {
        const title = card.querySelector('h3').textContent.trim()
        return [...card.querySelectorAll('button, .menu, input')].filter((each) => each.type !== 'hidden').map((each) => each.ariaLabel?.endsWith(title))
    }""")
    assert len(names) == 6 and all(names)


def test_keys_act_on_the_selection(page, hub):
    videos = ids(page)
    press(page, "j", "a", "j", "J", "J")
    assert page.locator(".select:checked").count() == 4
    page.locator("#bulk").wait_for()
    assert page.locator("#bulk").bounding_box()["y"] < 100
    press(page, "s")
    sent(page)
    assert [hub.video(video)["saved"] for video in videos[:5]] == [True] * 4 + [False]
    assert page.locator(".select:checked").count() == 0
    press(page, "u")
    sent(page)
    assert not hub.video(videos[0])["saved"]
    press(page, "a", "b")
    assert page.evaluate("document.activeElement.closest('#bulk') !== null")
    press(page, "Escape")
    assert page.locator(".select:checked").count() == 0


def test_the_bar_of_the_selection_comes_before_the_cards(page):
    assert page.evaluate("document.querySelector('#bulk').compareDocumentPosition(document.querySelector('#list')) & Node.DOCUMENT_POSITION_FOLLOWING")


def test_pictures_are_as_sharp_as_the_screen(make_page, hub, thumbnails):
    for factor, size in ((1, "hqdefault"), (2, "sddefault")):
        thumbnails.requests.clear()
        page = make_page(device_scale_factor=factor)
        visit(page, hub, "/")
        video = ids(page)[0]
        becomes(size, lambda: any(path == f"/vi/{video}/{size}.jpg" for path, _ in thumbnails.requests))
        page.close()


def test_a_missing_size_leaves_the_one_that_always_exists(make_page, hub, thumbnails):
    page = make_page(device_scale_factor=2)
    visit(page, hub, "/")
    # The stand-in's picture is one pixel wide, as YouTube's for what is missing is small.
    picture = page.locator(".card img").first
    becomes("the first one", lambda: picture.evaluate("image => image.currentSrc").endswith("/mqdefault.jpg"))


def test_times_are_those_of_the_reader(make_page, hub):
    video = hub.listed()[0]
    tomorrow = datetime.datetime.now(datetime.UTC).replace(hour=23, minute=30, second=0, microsecond=0) + datetime.timedelta(days=1)
    hub.mark(video, status="snoozed", until=tomorrow.isoformat().replace("+00:00", "Z"))
    for zone, text in (("UTC", "tomorrow 23:30"), ("Asia/Tokyo", "08:30")):
        page = make_page(timezone_id=zone)
        visit(page, hub, "/?status=snoozed")
        chip = card(page, video).locator(".chip", has_text="snoozed until")
        becomes(zone, lambda: chip.inner_text().endswith(text))
        page.close()
    # A zone that the person chose counts everywhere.
    hub.command("preferences", "set", "time-zone", "Europe/Berlin")
    page = make_page(timezone_id="Asia/Tokyo")
    visit(page, hub, "/?status=snoozed")
    assert "30" in card(page, video).locator(".chip").first.inner_text()
    assert not card(page, video).locator(".chip").first.inner_text().endswith("08:30")


def test_days_are_those_of_the_reader(make_page, hub):
    page = make_page(timezone_id="Pacific/Kiritimati")
    visit(page, hub, "/?mode=newest")
    wrong = page.evaluate("""[...document.querySelectorAll('#list .day')].flatMap((day) => [...day.querySelectorAll('.meta > time')].filter((time) => {
        const at = new Date(time.dateTime), key = `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`
        return !day.getAttribute('aria-labelledby').startsWith('d-' + key)
    }).map((time) => time.dateTime))""")
    assert wrong == []
    order = page.eval_on_selector_all("#list .meta > time", "times => times.map((time) => time.dateTime)")
    assert order == sorted(order, reverse=True) and len(order) == 60


def test_collections_have_covers(page, hub):
    for video in hub.listed()[:5]:
        hub.mark(video, collection="To cook")
    hub.mark(hub.listed()[0], saved=True)
    visit(page, hub, "/collections")
    assert page.locator(".tile", has_text="To cook").locator(".cover img").count() == 4
    assert page.locator(".tile", has_text="Saved").locator(".cover img").count() == 1
