"""What forms do to videos, channels and rules: said in a toast, undone from there, by pointer and by keys alone."""
import pytest

from conftest import HOSTILE_CHANNEL
from views import becomes, card, focused, ids, press, sent, toast, visit

OTHER = "UCAAAAAAAAAAAAAAAAAAAAAA"
UNDO = '.toast button:text-is("Undo")'


def undo(page):
    page.locator(UNDO).last.click()


def test_following_offers_a_check_and_an_undo(page, hub):
    visit(page, hub, "/channels")
    page.locator(".follow summary").click()
    page.locator('.follow [name="tag"]').fill("slow, new  things")
    page.locator('.follow [name="source"]').fill(OTHER)
    page.locator('.follow button:text-is("Follow")').click()
    becomes("followed", lambda: OTHER in hub.followed())
    assert sorted(hub.followed()[OTHER]["tags"]) == ["new things", "slow"]
    check = page.locator('.toast button:text-is("Check now")')
    check.wait_for()
    assert page.url == hub.url + "/channels" and page.locator(".notice").count() == 0
    check.click()
    toast(page, "hecking")
    press(page, "u")
    becomes("not followed", lambda: OTHER not in hub.followed())


def test_settings_of_a_channel_are_undone_step_by_step(page, hub):
    visit(page, hub, f"/channels/{HOSTILE_CHANNEL}")
    before = hub.followed()[HOSTILE_CHANNEL]
    page.locator("summary", has_text="Settings").click()
    page.locator('[name="title"]').fill("My channel")
    page.locator('button[value="set"]').click()
    becomes("the title", lambda: page.locator("h1").inner_text() == "My channel")
    page.locator("summary", has_text="Settings").click()
    page.locator('select[name="shorts"]').select_option("show")
    page.locator('select[name="order"]').select_option("oldest")
    page.locator('[name="tags"]').fill("one, two")
    page.locator('button[value="set"]').click()
    becomes("the settings", lambda: hub.followed()[HOSTILE_CHANNEL]["tags"] == ["one", "two"])
    # The view before has the chosen order too, but open.
    becomes("the view", lambda: page.locator("details[open]").count() == 0)
    assert page.locator('select[name="order"]').input_value() == "oldest"
    page.locator("summary", has_text="Settings").click()
    page.locator('button[value="unfollow"]').click()
    becomes("unfollowed", lambda: HOSTILE_CHANNEL not in hub.followed())
    page.locator("text=You do not follow this channel").wait_for()
    for what, holds in (
        ("followed", lambda: HOSTILE_CHANNEL in hub.followed()),
        ("the tags", lambda: hub.followed()[HOSTILE_CHANNEL]["tags"] == before["tags"]),
        ("the title", lambda: hub.followed()[HOSTILE_CHANNEL]["title"] == before["title"]),
    ):
        page.evaluate("document.activeElement.blur()")
        press(page, "u")
        becomes(what, holds)
    becomes("the view", lambda: page.locator("h1").inner_text() == before["title"])


def test_a_rule_is_previewed_added_removed_and_all_undone(page, hub):
    visit(page, hub, "/rules")
    page.locator('[name="contains"]').fill("moon")
    page.locator('button[value="preview"]').click()
    page.locator("h2", has_text="It would hide").wait_for()
    assert ids(page) and hub.get("/rules")["rules"] == []
    page.locator('button[value="add"]').click()
    becomes("added", lambda: len(hub.get("/rules")["rules"]) == 1)
    row = page.locator(".rows li", has_text="moon")
    row.wait_for()
    row.locator('button[value="remove"]').click()
    becomes("removed", lambda: hub.get("/rules")["rules"] == [])
    row.wait_for(state="detached")
    undo(page)
    becomes("back", lambda: len(hub.get("/rules")["rules"]) == 1)
    row.wait_for()
    press(page, "u")
    becomes("gone", lambda: hub.get("/rules")["rules"] == [])
    row.wait_for(state="detached")


def test_what_the_hub_refuses_is_said_and_stays_typed(page, hub, guard):
    guard.expected += ["400", "422"]
    visit(page, hub, "/rules")
    page.locator('[name="pattern"]').fill("(")
    page.locator('button[value="add"]').click()
    page.locator(".toast").wait_for()
    assert page.locator('[name="pattern"]').input_value() == "("
    assert page.url == hub.url + "/rules" and hub.get("/rules")["rules"] == []


def test_rules_by_keys_alone(page, hub):
    visit(page, hub, "/rules")
    page.locator('[name="contains"]').focus()
    page.keyboard.type("moon")
    page.keyboard.press("Enter")
    page.locator("h2", has_text="It would hide").wait_for()
    page.locator('button[value="add"]').focus()
    page.keyboard.press("Enter")
    becomes("added", lambda: len(hub.get("/rules")["rules"]) == 1)
    becomes("the focus is in the view", lambda: page.evaluate("document.activeElement.id") == "main")
    press(page, "u")
    becomes("gone", lambda: hub.get("/rules")["rules"] == [])


def test_a_video_is_snoozed_to_a_day_and_positioned(page, hub):
    video = ids(page)[0]
    visit(page, hub, f"/videos/{video}")
    page.locator("#date").fill("2030-05-06")
    page.locator('button[value="snooze"]').click()
    becomes("snoozed", lambda: (hub.video(video)["snoozedUntil"] or "").startswith("2030-05-0"))
    undo(page)
    becomes("new", lambda: hub.status(video) == "new")
    page.locator("#position").fill("1:30")
    page.locator('button[value="progress"]').click()
    becomes("the position", lambda: hub.video(video)["progressSeconds"] == 90)
    becomes("the view", lambda: page.locator("#position").input_value() == "1:30")
    undo(page)
    becomes("no position", lambda: hub.video(video)["progressSeconds"] == 0)


def test_keys_lead_to_the_fields_of_a_video(page, hub):
    video = ids(page)[0]
    press(page, "j", "i")
    page.wait_for_url(f"**/videos/{video}")
    assert page.locator("#player").is_hidden()
    for key, field in (("e", "note"), ("c", "collection"), ("Z", "until")):
        press(page, key)
        becomes(key, lambda: page.evaluate("document.activeElement.id") == field)
        page.evaluate("document.activeElement.blur()")
    press(page, "e")
    page.keyboard.type("gears")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    becomes("the note", lambda: hub.video(video)["note"] == "gears")
    visit(page, hub, "/")
    press(page, "j", "c")
    page.wait_for_url(f"**/videos/{video}")
    becomes("the field", lambda: page.evaluate("document.activeElement.id") == "collection")
    page.keyboard.type("To cook")
    page.keyboard.press("Enter")
    becomes("the collection", lambda: hub.video(video)["collections"] == ["To cook"])


def test_several_are_put_into_a_collection(page, hub):
    first, second = ids(page)[:2]
    for video in (first, second):
        card(page, video).locator(".select").check()
    page.locator("#bulk summary").click()
    page.locator("#bulk-collection").fill("To cook")
    page.locator('#bulk button[value="collect"]').click()
    becomes("both", lambda: [hub.video(video)["collections"] for video in (first, second)] == [["To cook"]] * 2)
    sent(page)
    undo(page)
    becomes("none", lambda: [hub.video(video)["collections"] for video in (first, second)] == [[], []])


def test_several_are_made_new_again(page, hub):
    videos = ids(page)[:2]
    for video in videos:
        hub.mark(video, status="watched")
    visit(page, hub, "/?status=watched")
    for video in videos:
        card(page, video).locator(".select").check()
    page.locator("#bulk summary").click()
    page.locator('#bulk button[value="new"]').click()
    becomes("new", lambda: {hub.status(video) for video in videos} == {"new"})


def test_a_whole_list_is_marked_and_undone(page, hub):
    visit(page, hub, "/?tag=Science")
    matching = hub.get("/videos?limit=1&tag=Science")["matching"]
    others = hub.get("/videos?limit=1")["matching"] - matching
    assert matching > 60, "more than a page"
    page.locator(f'button:text-is("Mark all {matching} as watched")').click()
    becomes("watched", lambda: hub.get("/videos?limit=1&tag=Science")["matching"] == 0)
    assert hub.get("/videos?limit=1")["matching"] == others
    page.locator(UNDO).wait_for()
    undo(page)
    becomes("new", lambda: hub.get("/videos?limit=1&tag=Science")["matching"] == matching)
    becomes("the view", lambda: len(ids(page)) > 0)


def test_the_button_below_a_list_marks_what_is_shown(page, hub):
    page.locator("a.more").click()
    becomes("a second page", lambda: len(ids(page)) > 60)
    videos = ids(page)
    press(page, "j", "m")
    button = page.locator("form.all button").first
    becomes("its number", lambda: f"these {len(videos) - 1} as" in button.inner_text())
    button.click()
    sent(page)
    assert {hub.status(video) for video in videos} == {"watched"}


def test_the_button_at_the_top_undoes_step_by_step(page, hub):
    first, second = ids(page)[:2]
    press(page, "j", "m", "x")
    sent(page)
    for video in (second, first):
        page.get_by_role("button", name="Undo the last action").click()
        becomes("new", lambda: hub.status(video) == "new")


def test_a_form_without_a_connection_sends_nothing_and_keeps_what_was_typed(page, hub, guard):
    guard.is_offline = True
    visit(page, hub, "/rules")
    page.locator('[name="contains"]').fill("moon")
    page.context.set_offline(True)
    page.locator('button[value="add"]').click()
    toast(page, "nothing was sent")
    assert page.locator('[name="contains"]').input_value() == "moon"
    page.context.set_offline(False)
    page.locator('button[value="add"]').click()
    becomes("added", lambda: len(hub.get("/rules")["rules"]) == 1)


def test_a_list_is_not_requested_by_its_old_address_while_it_is_renamed(page, hub):
    visit(page, hub, "/collections")
    page.locator("#f-collection").fill("Steam")
    page.locator("button", has_text="Create").click()
    becomes("the new collection", lambda: page.locator("h1").inner_text() == "Steam")
    # The answer comes after the change was announced.
    page.evaluate("""() => {
        const send = window.fetch
        window.fetch = async (...request) => {
            const response = await send(...request)
            if (response.url.endsWith('/collections/Trains') || response.redirected) await new Promise((go) => { window.go = go })
            return response
        }
    }""")
    page.locator("summary", has_text="Settings").click()
    page.locator("#f-collection").fill("Trains")
    with page.expect_response("**/api/v1/changes*"):
        page.locator('button[value="set"]').click()
    becomes("the answer is held", lambda: page.evaluate("Boolean(window.go)"))
    page.wait_for_timeout(500)  # For the request that must not come: its 404 would be a complaint.
    page.evaluate("go()")
    becomes("the new name", lambda: page.locator("h1").inner_text() == "Trains")


def test_a_collection_is_created_renamed_and_deleted_and_each_is_undone(page, hub):
    names = lambda: [row["collection"] for row in hub.get("/collections")["collections"]]
    before = names()
    visit(page, hub, "/collections")
    page.locator("#f-collection").fill("Steam & trains")
    page.locator('[name="description"]').fill("Only <steam>")
    page.locator("button", has_text="Create").click()
    becomes("the new collection", lambda: page.locator("h1").inner_text() == "Steam & trains")
    assert page.locator("text=Only <steam>").count() == 1
    page.locator("summary", has_text="Settings").click()
    page.locator("#f-collection").fill("Railways")
    page.locator('button[value="set"]').click()
    becomes("the new name", lambda: page.locator("h1").inner_text() == "Railways")
    page.locator("summary", has_text="Settings").click()
    page.locator('button[value="delete"]').click()
    becomes("the other collections", lambda: page.locator("h1").inner_text() == "Collections")
    assert names() == before
    for what, expected in (("deleted", ["Railways"]), ("renamed", ["Steam & trains"]), ("created", [])):
        page.evaluate("document.activeElement.blur()")
        press(page, "u")
        becomes(what, lambda: sorted(names()) == sorted(before + expected))


def test_preferences_change_the_page_at_once(page, hub):
    visit(page, hub, "/settings/preferences")
    page.locator('[name="theme"]').select_option("dark")
    page.locator('[name="density"]').select_option("compact")
    page.locator('[name="order"]').select_option("oldest")
    page.locator("#main form.panel button").click()
    becomes("dark", lambda: page.locator("html").get_attribute("data-theme") == "dark")
    assert page.locator("html").get_attribute("data-density") == "compact"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(19, 20, 23)"
    toast(page, "3 preferences")
    newest = ids_of(hub, "newest=true")
    visit(page, hub, "/")
    assert ids(page)[0] != newest[0]
    press(page, "u")
    becomes("as before", lambda: hub.get("/preferences")["preferences"][0]["source"] == "default")


def ids_of(hub, query):
    return [video["video"] for video in hub.get(f"/videos?{query}")["videos"]]


def test_a_form_is_sent_once_however_often_it_is_clicked(page, hub):
    visit(page, hub, "/collections")
    posts = []
    page.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    page.locator('form[action="/collections"] input[name="collection"]').fill("Double")
    page.evaluate("""() => {
      const form = document.querySelector('form[action="/collections"]')
      for (let time = 0; time < 3; time++) form.requestSubmit()
    }""")
    page.wait_for_selector("text=Double")
    assert len([request for request in posts if request.url.endswith("/collections")]) == 1
