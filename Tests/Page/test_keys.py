"""The stories by keys alone."""
from views import becomes, card, current, focused, ids, press, sent, toast, visit


def test_j_and_k_move_the_focus_from_title_to_title(page):
    videos = ids(page)
    press(page, "j", "j", "j")
    assert current(page) == focused(page) == videos[2]
    press(page, "k")
    assert focused(page) == videos[1]
    assert page.evaluate("document.activeElement.matches('h3 a')")
    assert page.evaluate("(() => { const {top, bottom} = document.activeElement.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight })()")


def test_j_loads_the_next_page_at_the_end_of_the_list(page, hub):
    count = len(ids(page))
    page.locator(".card h3 a").last.focus()
    press(page, "j")
    becomes("more cards", lambda: len(ids(page)) > count)
    becomes("the first of them has the focus", lambda: focused(page) == ids(page)[count])
    assert len(set(ids(page))) == len(ids(page))


def test_each_mark_has_a_key_that_goes_on(page, hub):
    videos = ids(page)
    press(page, "j", "m", "x", "z")
    becomes("they left", lambda: ids(page)[0] == videos[3])
    press(page, "s")
    sent(page)
    assert [hub.status(video) for video in videos[:4]] == ["watched", "skipped", "snoozed", "new"]
    assert hub.video(videos[3])["saved"]
    assert focused(page) == videos[3]


def test_watched_is_a_switch(page, hub):
    video = ids(page)[0]
    hub.mark(video, status="watched")
    visit(page, hub, "/?status=watched")
    press(page, "j")
    assert current(page) == video
    press(page, "m")
    becomes("new again", lambda: hub.status(video) == "new")


def test_everything_above_is_marked_watched(page, hub):
    videos = ids(page)
    press(page, "j", "j", "j", "j", "A")
    becomes("three left", lambda: ids(page)[0] == videos[3])
    sent(page)
    assert [hub.status(video) for video in videos[:4]] == ["watched"] * 3 + ["new"]
    press(page, "u")
    becomes("back", lambda: ids(page)[:4] == videos[:4])


def test_g_goes_to_the_places(page, hub):
    for key, path in (("c", "/channels"), ("s", "/saved"), ("h", "/history"), ("f", "/")):
        press(page, "g", key)
        page.wait_for_url(hub.url + path)
        becomes("the focus is in the view", lambda: page.evaluate("document.activeElement.id") == "main")


def test_slash_searches_and_typing_is_no_key(page, hub):
    press(page, "/")
    page.keyboard.type("moon jumx")
    assert page.evaluate("document.activeElement.value") == "moon jumx"
    page.keyboard.press("Control+a")
    page.keyboard.type("moon")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?*moon*")
    becomes("the results", lambda: 0 < len(ids(page)) < 20)
    assert {hub.status(video) for video in ids(page)} == {"new"}


def test_typing_narrows_the_cards_before_enter_searches_all(page, hub):
    cards, title = page.locator("#main .card:visible"), page.locator("#main .card h3").first.text_content().strip()
    count, word = cards.count(), title.split()[0]
    press(page, "/")
    page.keyboard.type(word.upper() + " ")
    matching = [card for card in cards.all() if word.lower() in card.text_content().lower()]
    assert 0 < cards.count() < count and len(matching) == cards.count()
    assert page.locator("#narrowed").text_content().startswith(f"{cards.count()} of the videos loaded here")
    assert page.locator("#main form.all .count").text_content() == str(cards.count()), "it marks what is shown"
    # Keys move among the cards shown.
    second = cards.nth(1).get_attribute("data-video")
    page.keyboard.press("Tab")
    press(page, "j", "j", "m")
    becomes("marked", lambda: hub.status(second) == "watched")
    press(page, "/")
    page.keyboard.type("zzz")
    assert cards.count() == 0 and page.locator("#narrowed").text_content().startswith("0 of")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    becomes("all except the marked one", lambda: cards.count() == count - 1)
    assert page.locator("#narrowed").count() == 0


def test_question_mark_shows_the_keys(page):
    press(page, "?")
    assert page.locator("#help").is_visible()
    assert page.locator("#help kbd").count() >= 14
    press(page, "m")
    press(page, "Escape")
    assert page.locator("#help").is_hidden()
    press(page, "?")
    page.locator("#help button").click()
    assert page.locator("#help").is_hidden()


def test_v_opens_youtube_without_a_way_back(make_page, hub, guard):
    # It is elsewhere, where tests do not go.
    guard.expected += ["www.youtube.com", "ERR_NAME_NOT_RESOLVED"]
    page = make_page()
    visit(page, hub, "/")
    video = ids(page)[0]
    press(page, "j")
    with page.context.expect_page() as opened:
        press(page, "v")
    becomes("YouTube", lambda: video in opened.value.evaluate("performance.getEntriesByType('navigation')[0]?.name ?? location.href") or video in opened.value.url or "chrome-error" in opened.value.url)
    assert opened.value.evaluate("window.opener") is None


def test_r_checks_the_feeds(page, hub):
    press(page, "r")
    toast(page, "feeds")


def test_keys_leave_the_browsers_own_alone(page, hub):
    video = ids(page)[0]
    press(page, "j", "Control+m", "Alt+x", "Control+u")
    assert hub.status(video) == "new"


def test_the_order_of_tabs_begins_with_the_skip_link(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("""(() => {
            const element = document.activeElement, box = element.getBoundingClientRect(), style = getComputedStyle(element)
            const card = element.closest('.card')
            const hasRing = (style) => style.outlineStyle !== 'none' || style.boxShadow !== 'none'
            const ring = hasRing(style) || (card && hasRing(getComputedStyle(card)))
            return { tag: element.tagName, name: element.outerHTML.slice(0, 90), video: element.closest('.card')?.dataset.video, y: box.top + scrollY, isSeen: box.width > 0 && Boolean(ring) }
        })()"""))
        if len({item["video"] for item in seen if item["video"]}) > 3:
            break
    videos = list(dict.fromkeys(item["video"] for item in seen if item["video"]))
    assert videos == ids(page)[: len(videos)], "as shown"
    assert [item["name"] for item in seen if not item["isSeen"] and item["tag"] != "BODY"] == []


def test_marks_without_a_current_video_say_how_to_choose_one(page, hub):
    first = ids(page)[0]
    page.evaluate("document.activeElement.blur()")
    press(page, "m")
    toast(page, "No video is chosen yet")
    assert hub.status(first) == "new"


def test_keys_work_with_caps_lock_and_on_other_layouts(page):
    videos = ids(page)
    key = """(key, code, modifierCapsLock = false) => document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key, code, modifierCapsLock, bubbles: true, cancelable: true }))"""
    page.evaluate(f"({key})('J', 'KeyJ', true)")
    assert current(page) == videos[0], "Caps Lock"
    page.evaluate(f"({key})('о', 'KeyJ')")
    assert current(page) == videos[1], "a Cyrillic layout"
    page.evaluate(f"({key})('л', 'KeyK')")
    assert current(page) == videos[0]
    page.evaluate(f"({key})('é', 'Digit2')")
    assert current(page) == videos[0], "no letter there"


def test_escape_leaves_the_search_field(page):
    first = ids(page)[0]
    press(page, "/", "Escape", "j")
    assert current(page) == first and page.locator("#q").input_value() == ""


def test_going_back_from_a_search_empties_the_field(page, hub):
    page.locator("#q").fill("moon")
    press(page, "Enter")
    page.wait_for_url("**/?q=moon")
    page.go_back()
    page.wait_for_url(hub.url + "/")
    becomes("it is empty", lambda: page.locator("#q").input_value() == "")
    assert page.locator("#narrowed").count() == 0
