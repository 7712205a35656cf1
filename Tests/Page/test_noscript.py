"""The stories with script off: links and forms alone."""
from conftest import HOSTILE_CHANNEL
from views import card, go, ids


def plain(make_page, hub, path="/"):
    page = make_page(javascript=False)
    page.goto(hub.url + path)
    return page


def test_each_mark_and_its_undo_are_forms(make_page, hub):
    page = plain(make_page, hub)
    first, second = ids(page)[:2]
    for action, status in (("watched", "watched"), ("skip", "skipped"), ("snooze", "snoozed")):
        go(page, lambda: card(page, first).locator(f'button[value="{action}"]').click())
        assert hub.status(first) == status
        assert ids(page)[0] == second
        go(page, lambda: page.locator('.notice form[action="/undo"] button').click())
        assert hub.status(first) == "new"
        assert ids(page)[0] == first
    go(page, lambda: card(page, first).locator('button[value="save"]').click())
    assert hub.video(first)["saved"]
    assert page.url.startswith(hub.url + "/")


def test_nothing_waits_for_a_script(make_page, hub):
    page = plain(make_page, hub)
    assert page.locator("#bulk").is_hidden()
    assert page.locator("#player").is_hidden()
    assert page.locator("dialog").is_hidden()


def test_several_are_marked_by_a_form(make_page, hub):
    page = plain(make_page, hub)
    videos = ids(page)[:3]
    for video in videos:
        card(page, video).locator(".select").check()
    go(page, lambda: page.locator('#bulk button[value="skip"]').click())
    assert {hub.status(video) for video in videos} == {"skipped"}


def test_the_menu_leads_to_the_forms_of_its_video(make_page, hub):
    page = plain(make_page, hub)
    video, channel = ids(page)[0], page.locator(".card").first.get_attribute("data-channel")
    go(page, lambda: card(page, video).locator(".menu").click())
    assert page.url.endswith(f"/videos/{video}#actions")
    go(page, lambda: page.locator('#actions button[name="live"]').click())
    assert hub.followed()[channel]["live"] == "hide"
    go(page, lambda: page.locator("#actions a", has_text="Hide videos like this").click())
    assert page.locator('[name="channel"]').input_value() == channel and ids(page)
    go(page, lambda: page.locator('[value="add"]').click())
    assert len(hub.get("/rules")["rules"]) == 1


def test_filters_pages_and_videos_are_links(make_page, hub):
    page = plain(make_page, hub)
    seen = ids(page)
    go(page, lambda: page.locator("a.more").click())
    assert not set(seen) & set(ids(page))
    page.goto(hub.url + "/")
    page.locator('input[type="search"]').fill("moon")
    go(page, lambda: page.keyboard.press("Enter"))
    assert 0 < len(ids(page)) < 20
    video = ids(page)[0]
    go(page, lambda: card(page, video).locator("h3 a").click())
    assert page.url.endswith(f"/videos/{video}")
    assert page.locator(f'a[href*="watch?v={video}"]').count() > 0


def test_a_note_is_kept(make_page, hub):
    video = hub.listed()[0]
    page = plain(make_page, hub, f"/videos/{video}")
    page.locator('[name="note"]').fill("gears")
    go(page, lambda: page.locator('[value="note"]').click())
    assert hub.video(video)["note"] == "gears"


def test_following_and_checking_are_forms(make_page, hub):
    page = plain(make_page, hub, "/channels")
    source = page.locator('input[name="source"]').first
    source.fill("https://www.youtube.com/channel/UCAAAAAAAAAAAAAAAAAAAAAA")
    go(page, lambda: source.press("Enter"))
    assert "UCAAAAAAAAAAAAAAAAAAAAAA" in {channel["channel"] for channel in hub.get("/channels")["channels"]}


def test_everything_of_a_video_is_a_form(make_page, hub):
    video = hub.listed()[0]
    page = plain(make_page, hub, f"/videos/{video}")

    def send(name, value, button):
        page.locator(f'[name="{name}"]').first.fill(value)
        go(page, lambda: page.locator(f'[value="{button}"]').first.click())

    send("position", "2:00", "progress")
    assert hub.video(video)["progressSeconds"] == 120
    send("collection", "To cook", "collect")
    assert hub.video(video)["collections"] == ["To cook"]
    go(page, lambda: page.locator('[value="uncollect"]').click())
    assert hub.video(video)["collections"] == []
    send("date", "2030-05-06", "snooze")
    assert hub.status(video) == "snoozed"
    # Two steps back by the button at the top, which needs no notice.
    for _ in range(2):
        go(page, lambda: page.get_by_role("button", name="Undo the last action").click())
    assert hub.status(video) == "new" and hub.video(video)["collections"] == ["To cook"]


def test_everything_of_a_channel_is_a_form(make_page, hub):
    page = plain(make_page, hub, f"/channels/{HOSTILE_CHANNEL}")
    page.locator("summary", has_text="Settings").click()
    page.locator('[name="title"]').fill("My channel")
    page.locator('[name="tags"]').fill("one")
    go(page, lambda: page.locator('[value="set"]').click())
    assert page.locator("h1").inner_text() == "My channel"
    assert hub.followed()[HOSTILE_CHANNEL]["tags"] == ["one"]
    page.locator("summary", has_text="Settings").click()
    go(page, lambda: page.locator('[value="unfollow"]').click())
    assert HOSTILE_CHANNEL not in hub.followed()
    # An undo that follows something again says first what it does.
    go(page, lambda: page.locator('.notice form[action="/undo"] button').click())
    if HOSTILE_CHANNEL not in hub.followed():
        go(page, lambda: page.locator("main button", has_text="Undo").click())
    assert HOSTILE_CHANNEL in hub.followed()


def test_rules_are_forms(make_page, hub):
    page = plain(make_page, hub, "/rules")
    page.locator('[name="contains"]').fill("moon")
    go(page, lambda: page.locator('[value="preview"]').click())
    assert ids(page) and hub.get("/rules")["rules"] == []
    go(page, lambda: page.locator('[value="add"]').click())
    assert len(hub.get("/rules")["rules"]) == 1
    go(page, lambda: page.locator('[value="remove"]').click())
    assert hub.get("/rules")["rules"] == []
    go(page, lambda: page.locator('.notice form[action="/undo"] button').click())
    assert len(hub.get("/rules")["rules"]) == 1


def test_a_whole_list_is_marked_and_undone(make_page, hub):
    page = plain(make_page, hub, "/?tag=Science")
    matching = hub.get("/videos?limit=1&tag=Science")["matching"]
    go(page, lambda: page.locator(f'button:text-is("Mark all {matching} as watched")').click())
    assert hub.get("/videos?limit=1&tag=Science")["matching"] == 0
    go(page, lambda: page.locator('.notice form[action="/undo"] button').click())
    # So much is undone only after another question.
    go(page, lambda: page.locator('main form[action="/undo"] button').click())
    assert hub.get("/videos?limit=1&tag=Science")["matching"] == matching
