"""What others do appears without moving what is being read."""
import pytest

from conftest import HOSTILE_CHANNEL
from views import becomes, card, ids, press, toast, visit

NEW = "newVideo00A"


@pytest.fixture
def new_video(feeds, hub):
    """Adds a video to a feed and polls it."""
    def add():
        feeds.add(HOSTILE_CHANNEL, NEW, "A brand new video")
        hub.command("poll", "--rate", "0", "--force")

    yield add
    feeds.remove(HOSTILE_CHANNEL, NEW)



def test_new_videos_are_a_number_until_they_are_asked_for(page, hub, new_video):
    page.evaluate("scrollTo(0, 900)")
    top, videos = page.evaluate("scrollY"), ids(page)
    seen = card(page, videos[5]).bounding_box()
    new_video()
    bar = page.locator("#fresh")
    bar.wait_for()
    assert bar.inner_text() == "1 new"
    assert page.evaluate("scrollY") == top and ids(page) == videos
    assert card(page, videos[5]).bounding_box() == seen
    bar.click()
    becomes("it is shown", lambda: NEW in ids(page))
    assert page.evaluate("scrollY") == 0 and bar.is_hidden()


def test_marks_of_another_device_appear_in_place(page, hub):
    first, second = ids(page)[:2]
    videos = ids(page)
    hub.command("skip", first)
    hub.mark(second, saved=True)
    becomes("the state", lambda: card(page, first).get_attribute("data-status") == "skipped")
    becomes("the state", lambda: card(page, second).get_attribute("data-saved") == "true")
    assert ids(page) == videos, "nothing moved"


def test_two_windows_show_the_same(page, hub):
    other = page.context.new_page()
    visit(other, hub, "/")
    first = ids(page)[0]
    other.bring_to_front()
    press(other, "j", "m")
    page.bring_to_front()
    becomes("the state", lambda: card(page, first).get_attribute("data-status") == "watched")
    press(other, "u")
    becomes("the state", lambda: card(page, first).get_attribute("data-status") == "new")


def test_a_filtered_list_counts_only_its_own(page, hub, new_video):
    visit(page, hub, "/?q=moon")
    videos = ids(page)
    new_video()
    becomes("the hub has it", lambda: hub.video(NEW)["title"] == "A brand new video")
    hub.mark(videos[0], saved=True)
    becomes("the change came", lambda: card(page, videos[0]).get_attribute("data-saved") == "true")
    assert page.locator("#fresh").is_hidden()


@pytest.mark.parametrize("answer, words", [
    ('{"state":"started"}', "Checking the feeds that are due"),
    ('{"state":"running"}', "running already"),
    ('{"state":"waiting","pollerSeen":"2026-03-01T12:00:00Z"}', "No poller works; the last one was seen "),
    ('{"state":"waiting","pollerSeen":null}', "none was seen for a week"),
])
def test_what_a_request_for_a_check_led_to_is_said(page, answer, words):
    page.route("**/api/v1/poll", lambda route: route.fulfill(status=202, content_type="application/json", body=answer))
    page.locator('form.poll button').click()
    toast(page, words)
    assert "Invalid" not in page.locator(".toast").last.inner_text()


def test_when_the_feeds_were_checked_is_said_after_new_videos_too(page, new_video):
    checked = page.locator("#main .checked")
    assert checked.count() == 1
    new_video()
    page.locator("#fresh").click()
    becomes("it is shown", lambda: NEW in ids(page))
    assert checked.count() == 1


def test_another_version_of_the_page_is_taken_by_the_next_visit(page, hub):
    def upgraded(route):
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("/script.js?v=", "/script.js?v=0"))

    page.evaluate("window.isOld = true")
    page.route("**/channels", upgraded)
    press(page, "g", "c")
    page.wait_for_url(hub.url + "/channels")
    becomes("another document", lambda: page.evaluate("window.isOld") is None)
