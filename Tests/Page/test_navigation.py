"""Moving through the page without loading it anew."""
import pytest

from views import becomes, card, focused, ids, press, visit


def same(page):
    """Marks the document; whether it is still the same one."""
    page.evaluate("window.isSame = true")
    return lambda: page.evaluate("window.isSame === true")


def test_links_swap_the_view_and_the_title(page, hub):
    is_same = same(page)
    titles = set()
    for path in ("/channels", "/saved", "/history", "/settings"):
        page.locator(f'nav a[href="{path}"]').first.click()
        page.wait_for_url(hub.url + path)
        becomes("the link is the current one", lambda: page.locator(f'nav a[href="{path}"][aria-current="page"]').count() == 1)
        titles.add(page.title())
        assert page.evaluate("document.activeElement.id") == "main"
    assert len(titles) == 4 and is_same()


def test_back_and_forward_restore_the_place(page, hub):
    is_same = same(page)
    page.locator("a.more").click()
    becomes("a second page", lambda: len(ids(page)) > 60)
    videos = ids(page)
    title = card(page, videos[40]).locator("h3 a")
    # Where it is in the window at the click: scrolling there lays out what was not laid out before.
    page.evaluate("addEventListener('click', (event) => { window.place = event.target.getBoundingClientRect().top }, true)")
    title.click()
    page.wait_for_url("**/videos/*")
    becomes("the top of the video", lambda: page.evaluate("scrollY") == 0)
    place = page.evaluate("window.place")
    page.go_back()
    becomes("the list", lambda: ids(page) == videos)
    becomes("the place", lambda: abs(title.evaluate("title => title.getBoundingClientRect().top") - place) < 2)
    assert page.evaluate("scrollY") > 500
    page.go_forward()
    page.wait_for_url("**/videos/*")
    becomes("the video", lambda: page.locator(".stage").count() == 1)
    assert is_same()


@pytest.mark.parametrize("top", [100, 680, 1500, -700])
def test_back_leaves_the_current_card_where_it_was(page, hub, top):
    """At the upper or lower edge of the window, or outside it."""
    video = ids(page)[20]
    title = card(page, video).locator("h3 a")
    title.focus()
    distance = "title.getBoundingClientRect().top - top"
    # What comes near the window is laid out by the next frames, which may move the card again.
    move = f"""async (title, top) => {{
        scrollBy(0, {distance})
        for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame)
        return Math.abs({distance}) < 1
    }}"""
    becomes("it stands there", lambda: title.evaluate(move, top))
    page.evaluate("document.querySelector('nav a[href=\"/saved\"]').click()")
    page.wait_for_url("**/saved")
    page.go_back()
    becomes("the focus", lambda: focused(page) == video)
    becomes("all is laid out", lambda: page.locator("html.whole").count() == 0)
    assert abs(title.evaluate(f"(title, top) => {distance}", top)) < 2


def test_what_was_marked_meanwhile_is_gone_when_one_comes_back(page, hub):
    first, second = ids(page)[:2]
    card(page, first).locator("h3 a").click()
    page.wait_for_url("**/videos/*")
    becomes("the video", lambda: page.locator(".stage").count() == 1)
    press(page, "m")
    becomes("watched", lambda: hub.status(first) == "watched")
    page.go_back()
    becomes("it left", lambda: ids(page)[0] == second)


def test_deep_links_show_the_same_as_moving(page, hub):
    for path in ("/?q=moon", "/?status=watched", "/?mode=oldest", "/channels", "/saved", "/history", "/status"):
        visit(page, hub, path)
        direct = (page.title(), ids(page))
        visit(page, hub, "/settings")
        is_same = same(page)
        page.evaluate("path => { const link = document.createElement('a'); link.href = path; link.textContent = 'go'; document.querySelector('#main').append(link); link.click() }", path)
        page.wait_for_url(hub.url + path)
        becomes(path, lambda: (page.title(), ids(page)) == direct)
        assert is_same()


def test_reloading_keeps_the_place(page):
    page.evaluate("scrollTo(0, 700)")
    page.reload()
    page.wait_for_selector("html.scripted")
    becomes("the place", lambda: abs(page.evaluate("scrollY") - 700) < 5)


def test_links_to_elsewhere_and_downloads_are_left_alone(page, hub):
    visit(page, hub, f"/videos/{ids(page)[0]}")
    outside = page.locator("a.outside").first
    assert outside.get_attribute("href").startswith("https://www.youtube.com/")
    assert "noreferrer" in outside.get_attribute("rel")


def test_a_form_that_changes_something_keeps_the_document(page, hub):
    visit(page, hub, "/channels")
    is_same = same(page)
    page.locator('input[name="source"]').first.fill("https://www.youtube.com/channel/UCAAAAAAAAAAAAAAAAAAAAAA")
    page.locator('input[name="source"]').first.press("Enter")
    becomes("followed", lambda: "UCAAAAAAAAAAAAAAAAAAAAAA" in {row["channel"] for row in hub.get("/channels")["channels"]})
    assert is_same()


def test_a_shared_address_is_taken(page, hub):
    page.goto(hub.url + "/share?text=https%3A%2F%2Fwww.youtube.com%2Fchannel%2FUCAAAAAAAAAAAAAAAAAAAAAA")
    assert "UCAAAAAAAAAAAAAAAAAAAAAA" in page.content()


def test_a_shared_video_that_no_feed_has_shown_is_saved_with_its_title(page, hub):
    video = "9bZkp7q19f0"
    page.goto(hub.url + f"/share?title=A%20song%20-%20YouTube&url=https%3A%2F%2Fyoutu.be%2F{video}")
    assert page.locator("h2", has_text="No feed has shown this video yet").is_visible()
    page.locator('button[value="save"]').first.click()
    saved = lambda: [(row["video"], row["title"]) for row in hub.get("/videos?saved=true")["videos"]]
    becomes("saved", lambda: saved() == [(video, "A song")])
    visit(page, hub, "/saved")
    assert page.locator(f'#v-{video} h3').inner_text() == "A song"
    page.locator(f'#v-{video} button[value="unsave"]').click()
    becomes("taken out", lambda: saved() == [])
