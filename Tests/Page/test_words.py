"""Messages in words of people; errors that lead back with what was typed; the list of steps to undo."""
import pytest

from conftest import HOSTILE_CHANNEL
from views import becomes, card, go, ids, press, toast, visit


def plain(make_page, hub, path):
    page = make_page(javascript=False)
    page.goto(hub.url + path)
    return page


def test_an_address_without_a_view_says_where_to_go(make_page, hub, guard):
    guard.expected += ["404"]
    page = plain(make_page, hub, "/nowhere")
    text = page.locator("main").inner_text()
    assert "openapi" not in text and "nothing at this address" in text
    assert page.locator('main a[href="/channels"]').count() == 1
    go(page, lambda: page.locator('main a[href="/"]').click())
    assert ids(page)


@pytest.mark.parametrize("field, value, text", [
    ("minDuration", "zehn", "“At least this long”: “zehn” is not a duration"), ("pattern", "([", "“Matches a pattern”"),
    ("olderThan", "long", "“Published longer ago than”")])
def test_a_rule_that_is_refused_comes_back_as_it_was_typed(make_page, hub, guard, field, value, text):
    guard.expected += ["400", "422"]
    page = plain(make_page, hub, "/rules")
    page.locator('[name="contains"]').fill("moon & stars")
    page.locator(f'[name="{field}"]').fill(value)
    go(page, lambda: page.locator('[value="add"]').click())
    assert page.locator(".notice.problem").inner_text().startswith(text)
    assert page.locator('[name="contains"]').input_value() == "moon & stars"
    assert page.locator(f'[name="{field}"]').input_value() == value


def test_what_cannot_be_followed_comes_back_as_it_was_typed(make_page, hub, guard):
    guard.expected += ["400"]
    page = plain(make_page, hub, "/channels")
    page.locator('[name="source"]').fill("https://example.com/")
    go(page, lambda: page.locator('.follow button.main').click())
    assert page.locator(".notice.problem").count() == 1
    assert page.locator('[name="source"]').input_value() == "https://example.com/"


def test_rules_are_sentences(page, hub):
    hub.post("/rules", {"verdict": "block", "contains": "moon", "in": "title", "channel": HOSTILE_CHANNEL, "maxDuration": "2m"})
    visit(page, hub, "/rules")
    text = page.locator(".rows .name").inner_text()
    assert text.startswith("Hides videos whose title contains “moon”, at most 2:00 long, of ")


def test_messages_name_what_was_done(make_page, hub):
    page = plain(make_page, hub, "/")
    title = page.locator(".card h3").first.inner_text()
    go(page, lambda: page.locator('.card button[value="skip"]').first.click())
    assert page.locator(".notice p").inner_text() == f"Skipped: {title}."
    page.goto(hub.url + "/?tag=Science")
    count = hub.get("/videos?limit=1&tag=Science")["matching"]
    go(page, lambda: page.locator("form.all button.quiet").click())
    assert page.locator(".notice p").inner_text() == f"Watched: {count} videos."


def test_the_last_steps_are_a_list_with_titles(make_page, hub):
    first, second = hub.listed()[:2]
    hub.command("skip", first)
    hub.mark(second, saved=True)
    hub.post("/rules", {"verdict": "block", "contains": "moon"})
    page = plain(make_page, hub, "/undo")
    rows = page.locator(".rows li .name").all_inner_texts()
    assert rows[0].startswith("Rule added: hides videos whose title or description contains “moon”")
    assert rows[1].startswith("Saved: ")
    go(page, lambda: page.locator(".rows li button").nth(1).click())
    assert not hub.video(second)["saved"] and len(hub.get("/rules")["rules"]) == 1
    assert page.url.split("?")[0] == hub.url + "/undo"
    assert not any(row.startswith("Saved: ") for row in page.locator(".rows li .name").all_inner_texts())


def test_an_undo_of_much_is_confirmed_on_the_scripted_page_too(page, hub):
    visit(page, hub, "/undo")
    row = page.locator(".rows li", has_text="Followed: 20 channels")
    row.locator("button").click()
    page.locator("h1", has_text="Undo this?").wait_for()
    assert "Followed: 20 channels" in page.locator("main").inner_text()
    page.locator("main a", has_text="Keep it").click()
    page.wait_for_url("**/undo")
    assert len(hub.followed()) == 20
