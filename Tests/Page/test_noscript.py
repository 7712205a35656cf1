"""The stories with script off: links and forms alone."""
from views import card, ids


def plain(make_page, hub, path="/"):
    page = make_page(javascript=False)
    page.goto(hub.url + path)
    return page


def test_each_mark_and_its_undo_are_forms(make_page, hub):
    page = plain(make_page, hub)
    first, second = ids(page)[:2]
    for action, status in (("watched", "watched"), ("skip", "skipped"), ("snooze", "snoozed")):
        card(page, first).locator(f'button[value="{action}"]').click()
        assert hub.status(first) == status
        assert ids(page)[0] == second
        page.locator('form[action="/undo"] button').click()
        assert hub.status(first) == "new"
        assert ids(page)[0] == first
    card(page, first).locator('button[value="save"]').click()
    assert hub.video(first)["saved"]
    assert page.url.startswith(hub.url + "/")


def test_nothing_waits_for_a_script(make_page, hub):
    page = plain(make_page, hub)
    assert page.locator(".select").first.is_hidden()
    assert page.locator("#bulk").is_hidden()
    assert page.locator("#player").is_hidden()
    assert page.locator("dialog").is_hidden()


def test_filters_pages_and_videos_are_links(make_page, hub):
    page = plain(make_page, hub)
    seen = ids(page)
    page.locator("a.more").click()
    assert not set(seen) & set(ids(page))
    page.goto(hub.url + "/")
    page.locator('input[type="search"]').fill("moon")
    page.keyboard.press("Enter")
    assert 0 < len(ids(page)) < 20
    video = ids(page)[0]
    card(page, video).locator("h3 a").click()
    assert page.url.endswith(f"/videos/{video}")
    assert page.locator(f'a[href*="watch?v={video}"]').count() > 0


def test_a_note_is_kept(make_page, hub):
    video = hub.listed()[0]
    page = plain(make_page, hub, f"/videos/{video}")
    page.locator('[name="note"]').fill("gears")
    page.locator('[value="note"]').click()
    assert hub.video(video)["note"] == "gears"


def test_following_and_checking_are_forms(make_page, hub):
    page = plain(make_page, hub, "/channels")
    source = page.locator('input[name="source"]').first
    source.fill("https://www.youtube.com/channel/UCBa659QWEk1AI4Tg--mrJ2A")
    source.press("Enter")
    assert "UCBa659QWEk1AI4Tg--mrJ2A" in {channel["channel"] for channel in hub.get("/channels")["channels"]}
