"""Marks by pointer: at once on the page, in the log soon after, undone by any number of steps."""
import pytest

from views import becomes, card, current, focused, ids, press, sent, toast, visit, waiting

BUTTONS = [("watched", "watched"), ("skip", "skipped"), ("snooze", "snoozed")]


@pytest.mark.parametrize("action, status", BUTTONS)
def test_a_button_marks_a_video_and_its_card_leaves(page, hub, action, status):
    first, second = ids(page)[:2]
    card(page, first).locator(f'button[name="action"][value="{action}"]').click()
    becomes("the card left", lambda: ids(page)[0] == second)
    sent(page)
    assert hub.status(first) == status
    page.locator(".toast button").last.click()
    becomes("the card is back", lambda: ids(page)[:2] == [first, second])
    becomes("the log has it as new", lambda: hub.status(first) == "new")


def test_saving_keeps_the_card_and_shows_the_state(page, hub):
    first = ids(page)[0]
    save = card(page, first).locator('button[value="save"]')
    save.click()
    becomes("saved", lambda: hub.video(first)["saved"])
    unsave = card(page, first).locator('button[value="unsave"]')
    title = card(page, first).locator("h3").inner_text()
    assert unsave.get_attribute("aria-label") == f"Remove from saved: {title}"
    unsave.click()
    becomes("not saved", lambda: not hub.video(first)["saved"])
    assert ids(page)[0] == first


def test_undo_goes_any_number_of_steps_back(page, hub):
    before = ids(page)
    press(page, "j", *"mxzmxzmxzmxz")
    becomes("twelve left", lambda: not set(before[:12]) & set(ids(page)))
    sent(page)
    assert [hub.status(video) for video in before[:3]] == ["watched", "skipped", "snoozed"]
    for _ in range(12):
        press(page, "u")
    becomes("all are back", lambda: ids(page)[: len(before)] == before)
    sent(page)
    assert {hub.status(video) for video in before[:12]} == {"new"}


def test_undo_goes_on_after_reloading(page, hub):
    first = ids(page)[0]
    press(page, "j", "m")
    sent(page)
    page.reload()
    page.wait_for_selector("html.scripted")
    assert first not in ids(page)
    press(page, "u")
    becomes("new", lambda: hub.status(first) == "new")


def test_undo_spares_what_another_device_did_since(page, hub):
    first, second = ids(page)[:2]
    press(page, "j", "m")
    sent(page)
    hub.mark(second, saved=True)
    press(page, "u")
    becomes("new", lambda: hub.status(first) == "new")
    assert hub.video(second)["saved"]


def test_undo_without_steps_of_this_window_shows_what_others_did(page, hub):
    first, second = ids(page)[:2]
    title = card(page, first).locator("h3").inner_text()
    hub.mark(first, status="skipped")
    hub.mark(second, saved=True)
    press(page, "u")
    page.wait_for_url("**/undo")
    rows = page.locator(".rows li")
    becomes("the steps", lambda: rows.count() >= 2)
    assert rows.nth(0).inner_text().startswith("Saved: ") and rows.nth(1).inner_text().startswith(f"Skipped: {title}")
    rows.nth(1).locator("button").click()
    becomes("new", lambda: hub.status(first) == "new")
    toast(page, f"Undone: Skipped: {title}")
    assert hub.video(second)["saved"]


def test_each_undo_names_what_it_undid(page):
    title = page.locator(".card h3").first.inner_text()
    press(page, "j", "s", "u")
    toast(page, f"Undone: saved: {title[:40]}")


def test_the_focus_stays_in_the_list_after_a_card_leaves(page):
    first, second, third = ids(page)[:3]
    press(page, "j", "j")
    assert current(page) == focused(page) == second
    press(page, "x")
    becomes("the next has it", lambda: focused(page) == third and current(page) == third)
    card(page, first).locator('button[value="watched"]').click()
    becomes("the focus is on a card", lambda: focused(page) is not None)


def test_several_are_selected_and_marked_as_one_step(page, hub):
    chosen = [ids(page)[place] for place in (0, 2, 3)]
    for video in chosen:
        card(page, video).locator(".select").check()
    page.locator('#bulk button[value="watched"]').click()
    becomes("they left", lambda: not set(chosen) & set(ids(page)))
    sent(page)
    assert {hub.status(video) for video in chosen} == {"watched"}
    assert page.locator("#bulk").is_hidden()
    press(page, "u")
    sent(page)
    assert {hub.status(video) for video in chosen} == {"new"}


def test_everything_above_is_selected_by_a_button(page, hub):
    above = ids(page)[:5]
    card(page, above[-1]).locator(".select").check()
    page.locator("#bulk summary").click()
    page.locator("#bulk .above").click()
    page.locator('#bulk button[value="skip"]').click()
    becomes("five left", lambda: not set(above) & set(ids(page)))
    sent(page)
    assert {hub.status(video) for video in above} == {"skipped"}


def test_a_range_is_selected_with_shift(page):
    places = ids(page)[:4]
    card(page, places[0]).locator(".select").click()
    card(page, places[3]).locator(".select").click(modifiers=["Shift"])
    assert page.locator(".select:checked").count() == 4


def test_a_refused_mark_is_taken_back_and_said(page, hub, guard):
    guard.expected += ["422"]
    first = ids(page)[0]
    page.route("**/api/v1/marks", lambda route: route.fulfill(
        status=422, content_type="application/problem+json", body='{"title":"No","status":422,"detail":"the log is full"}'))
    press(page, "j", "m")
    toast(page, "the log is full")
    becomes("the card is back", lambda: ids(page)[0] == first)


def test_a_note_and_a_collection_are_kept_by_the_page_of_a_video(page, hub):
    video = ids(page)[0]
    visit(page, hub, f"/videos/{video}")
    page.locator('[name="note"]').fill("gears & <b>wheels</b>")
    page.locator('[value="note"]').click()
    becomes("the note", lambda: hub.video(video)["note"] == "gears & <b>wheels</b>")
    page.locator('input[name="collection"]').last.fill("To cook")
    page.locator('[value="collect"]').last.click()
    becomes("the collection", lambda: hub.video(video)["collections"] == ["To cook"])
    sent(page)
    press(page, "u")
    becomes("in none", lambda: hub.video(video)["collections"] == [])
    press(page, "u")
    becomes("no note", lambda: hub.video(video)["note"] is None)


def test_what_is_typed_survives_the_answer_to_a_mark(page, hub):
    video = ids(page)[0]
    visit(page, hub, f"/videos/{video}")
    answers = []

    def hold(route):
        # The view after the mark comes only once something was typed.
        answers.append(route)

    page.route(f"**/videos/{video}", hold)
    press(page, "m")
    becomes("the view is requested", lambda: page.evaluate("1") and answers)
    page.locator("#note").fill("half a sentence")
    for route in answers:
        route.continue_()
    page.unroute(f"**/videos/{video}")
    becomes("it came", lambda: page.evaluate("!document.documentElement.classList.contains('loading')"))
    becomes("it came", lambda: not page.evaluate("document.documentElement.classList.contains('loading')"))
    assert page.locator("#note").input_value() == "half a sentence"
    assert hub.status(video) == "watched"


def test_a_field_keeps_the_focus_when_the_answer_to_a_mark_comes(page, hub):
    video = ids(page)[0]
    visit(page, hub, f"/videos/{video}")
    answers = []
    page.route(f"**/videos/{video}", lambda route: answers.append(route))
    press(page, "s")
    becomes("the view is requested", lambda: page.evaluate("1") and answers)
    page.locator("#collection").focus()
    page.evaluate("document.querySelector('#main').dataset.old = ''")
    for route in answers:
        route.continue_()
    becomes("the view is another", lambda: page.locator("#main[data-old]").count() == 0)
    page.keyboard.type("music")
    assert page.locator("#collection").input_value() == "music"
    assert hub.status(video) == "new"


def test_what_an_undo_refreshes_keeps_nobody_from_going_elsewhere(page, hub):
    first = ids(page)[0]
    press(page, "j", "m")
    sent(page)
    undone, views = [], []
    page.route("**/api/v1/undo*", lambda route: undone.append(route))
    press(page, "u")
    becomes("it is sent", lambda: page.evaluate("1") and undone)
    press(page, "g", "c")
    page.wait_for_url(hub.url + "/channels")
    page.route(hub.url + "/", lambda route: views.append(route))
    press(page, "g", "f")
    becomes("the view is requested", lambda: page.evaluate("1") and views)
    # The channels are left, which the end of the undo would refresh.
    undone[0].continue_()
    sent(page)
    becomes("it came", lambda: page.evaluate("1") and hub.status(first) == "new")
    views[0].continue_()
    page.wait_for_url(hub.url + "/")
    page.unroute(hub.url + "/")
    becomes("it is back", lambda: ids(page)[0] == first)


def test_a_view_that_the_hub_rendered_before_an_undo_is_renewed(page, hub):
    first = ids(page)[0]
    press(page, "j", "m")
    sent(page)
    undone = []
    page.route("**/api/v1/undo*", lambda route: undone.append(route))
    press(page, "u")
    becomes("it is sent", lambda: page.evaluate("1") and undone)
    press(page, "g", "c")
    page.wait_for_url(hub.url + "/channels")
    press(page, "g", "f")
    page.wait_for_url(hub.url + "/")
    becomes("it is still watched", lambda: page.locator(".card").count() and first not in ids(page))
    undone[0].continue_()
    becomes("it is back", lambda: first in ids(page))


def test_a_view_that_the_hub_rendered_before_a_mark_is_renewed(page, hub):
    first = ids(page)[0]
    marked = []
    page.route("**/api/v1/marks", lambda route: marked.append(route))
    press(page, "j", "s")
    becomes("it is sent", lambda: page.evaluate("1") and marked)
    press(page, "g", "s")
    page.wait_for_url(hub.url + "/saved")
    assert first not in ids(page)
    marked[0].continue_()
    becomes("it is listed", lambda: first in ids(page))


def test_the_page_of_a_video_follows_its_marks(page, hub):
    video = ids(page)[0]
    visit(page, hub, f"/videos/{video}")
    press(page, "m")
    becomes("watched", lambda: hub.status(video) == "watched")
    press(page, "s")
    becomes("saved", lambda: hub.video(video)["saved"])
    press(page, "u", "u")
    becomes("as before", lambda: hub.status(video) == "new" and not hub.video(video)["saved"])


def test_the_offer_to_undo_goes_with_the_undo(page):
    press(page, "j", "s")
    toast(page, "Saved")
    press(page, "u")
    toast(page, "Undone: saved")
    assert page.locator(".toast button", has_text="Undo").count() == 0


def test_a_snooze_to_the_past_is_refused(page, hub):
    video = ids(page)[0]
    visit(page, hub, f"/videos/{video}")
    page.locator('#date').fill("2020-01-01")
    page.locator('.snooze button[value="snooze"]').click()
    toast(page, "That time is past")
    assert waiting(page) == 0 and hub.status(video) == "new"
