"""Without a connection, and back."""
from hub import wait_for
from views import becomes, card, ids, player_frame, press, sent, visit, waiting


def test_marks_wait_and_are_sent_with_the_time_of_the_action(page, hub, guard):
    guard.is_offline = True
    first, second, third = ids(page)[:3]
    page.context.set_offline(True)
    press(page, "j", "m", "x", "s")
    becomes("they left", lambda: ids(page)[0] == third)
    becomes("it is said", lambda: "3 changes wait" in page.locator("#offline").inner_text())
    assert waiting(page) == 3
    assert hub.status(first) == "new"
    # As if an hour had gone by.
    page.evaluate("""for (const key of Object.keys(localStorage).filter((key) => key.startsWith('change:')))
        localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key]), at: Date.now() - 3600e3 })""")
    page.context.set_offline(False)
    sent(page)
    assert [hub.status(first), hub.status(second), hub.video(third)["saved"]] == ["watched", "skipped", True]
    assert "1 h" in hub.command("history", "--until", "59m")
    becomes("nothing waits", lambda: page.locator("#offline").is_hidden())


def test_what_another_device_decided_since_stands(page, hub, guard):
    guard.is_offline = True
    first = ids(page)[0]
    page.context.set_offline(True)
    press(page, "j", "m")
    # Once it was tried: the failure writes the entry again.
    becomes("it waits", lambda: page.evaluate("""Object.keys(localStorage).filter((key) => key.startsWith('change:'))
        .map((key) => JSON.parse(localStorage[key]).isTried).join()""") == "true")
    page.evaluate("""for (const key of Object.keys(localStorage).filter((key) => key.startsWith('change:')))
        localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key]), at: Date.now() - 3600e3 })""")
    hub.mark(first, status="skipped")
    page.context.set_offline(False)
    sent(page)
    assert hub.status(first) == "skipped"


def test_an_undo_takes_back_what_was_not_sent(page, hub, guard):
    guard.is_offline = True
    first = ids(page)[0]
    page.route("**/api/v1/marks", lambda route: route.abort("internetdisconnected"))
    page.context.set_offline(True)
    press(page, "j", "m")
    becomes("it left", lambda: ids(page)[0] != first)
    press(page, "u")
    becomes("it is back", lambda: ids(page)[0] == first)
    page.unroute("**/api/v1/marks")
    page.context.set_offline(False)
    sent(page)
    assert hub.status(first) == "new"


def test_an_undo_made_offline_is_sent_too(page, hub, guard):
    guard.is_offline = True
    first = ids(page)[0]
    press(page, "j", "m")
    sent(page)
    page.context.set_offline(True)
    press(page, "u")
    becomes("it is back", lambda: ids(page)[0] == first)
    assert hub.status(first) == "watched"
    page.context.set_offline(False)
    becomes("undone", lambda: hub.status(first) == "new")


def test_what_waits_outlives_the_window(page, hub, guard):
    guard.is_offline = True
    first = ids(page)[0]
    page.context.set_offline(True)
    press(page, "j", "m")
    becomes("it waits", lambda: waiting(page) == 1)
    context = page.context
    page.close()
    context.set_offline(False)
    again = context.new_page()
    visit(again, hub, "/")
    sent(again)
    assert hub.status(first) == "watched"


def test_an_answer_that_was_lost_marks_once(page, hub, guard):
    guard.is_offline = True
    first = ids(page)[0]
    lost = []

    def lose(route):
        # The hub gets it; its answer does not arrive.
        lost.append(route.fetch().status)
        route.abort("connectionreset")

    page.route("**/api/v1/marks", lose, times=1)
    press(page, "j", "m")
    becomes("lost", lambda: page.evaluate("1") and lost == [200])
    becomes("it waits", lambda: waiting(page) == 1)
    page.evaluate("dispatchEvent(new Event('online'))")
    sent(page)
    assert hub.status(first) == "watched"
    assert len(hub.get("/history")["watched"]) == 1


def test_a_hub_that_restarts_is_found_again(page, hub, guard):
    guard.is_offline = True
    first = ids(page)[0]
    hub.stop()
    press(page, "j", "m")
    becomes("it is said", lambda: page.locator("#offline").is_visible())
    hub.start()
    becomes("sent", lambda: waiting(page) == 0)
    assert hub.status(first) == "watched"
    becomes("the notice is gone", lambda: page.locator("#offline").is_hidden())


def installed(make_page, hub):
    page = make_page(service_workers="allow")
    visit(page, hub, "/")
    becomes("kept", lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    page.reload()
    becomes("kept", lambda: page.evaluate("caches.open('metube-feed').then(async (cache) => (await cache.keys()).length > 0)"))
    return page


def test_the_last_feed_opens_without_a_hub(make_page, hub, guard):
    guard.is_offline = True
    page = installed(make_page, hub)
    videos = ids(page)
    hub.stop()
    page.reload()
    page.wait_for_selector("html.scripted")
    assert ids(page) == videos
    becomes("it is said", lambda: page.locator("#offline").is_visible())
    press(page, "j", "m")
    becomes("it left", lambda: ids(page)[0] == videos[1])
    page.reload()
    page.wait_for_selector("html.scripted")
    becomes("the mark is remembered", lambda: ids(page)[0] == videos[1])
    page.goto(hub.url + "/channels")
    assert page.locator("main").inner_text().strip() != ""
    page.goto(hub.url + "/")
    hub.start()
    becomes("sent", lambda: waiting(page) == 0)
    assert hub.status(videos[0]) == "watched"


def test_nothing_of_the_feed_is_kept_after_a_logout(make_page, hub):
    page = installed(make_page, hub)
    page.evaluate("navigator.serviceWorker.controller.postMessage('forget')")
    becomes("kept", lambda: page.evaluate("caches.has('metube-feed').then((has) => !has)"))


def test_the_position_of_the_player_waits_too(page, hub, guard):
    guard.is_offline = True
    video, frame = playing(page)
    page.context.set_offline(True)
    frame.evaluate("advance(40)")
    becomes("it waits", lambda: waiting(page) == 1)
    frame.evaluate("advance(40)")
    becomes("the last alone", lambda: positions(page) == [80])
    page.context.set_offline(False)
    becomes("sent", lambda: hub.video(video)["progressSeconds"] == 80)


def test_a_position_that_was_on_its_way_when_the_next_came_does_not_wait(page, hub, guard):
    guard.is_offline = True
    video, frame = playing(page)
    sent = []
    page.route("**/api/v1/marks", lambda route: route.abort() if sent else sent.append(route))
    with page.expect_request("**/api/v1/marks"):
        frame.evaluate("advance(40)")
    frame.evaluate("advance(40)")
    becomes("the next waits behind it", lambda: positions(page) == [40, 80])
    sent[0].abort()
    becomes("the last alone", lambda: positions(page) == [80])
    page.unroute("**/api/v1/marks")
    page.evaluate("dispatchEvent(new Event('online'))")
    becomes("sent", lambda: hub.video(video)["progressSeconds"] == 80)


def playing(page):
    """Plays the first video of the list; returns it, and the player's frame."""
    video = ids(page)[0]
    card(page, video).locator(".thumb").click()
    page.wait_for_url(f"**/videos/{video}")
    return video, player_frame(page)


def positions(page):
    """The positions of the player that wait, in order."""
    return page.evaluate("""Object.keys(localStorage).filter(key => key.startsWith('change:')).sort()
        .map(key => JSON.parse(localStorage[key]).marks[0].progressSeconds)""")


def test_any_view_opens_as_offline_and_leads_back(make_page, hub, guard):
    guard.is_offline = True
    page = installed(make_page, hub)
    hub.stop()
    page.goto(hub.url + "/?tag=Science")
    page.locator("h1", has_text="Offline").wait_for()
    hub.start()
    page.goto(hub.url + "/?tag=Science")
    page.wait_for_selector("html.scripted")
    becomes("the list", lambda: len(ids(page)) > 0)


def test_another_window_sends_what_a_closed_one_left(page, hub, guard):
    guard.is_offline = True
    first = ids(page)[0]
    other = page.context.new_page()
    visit(other, hub, "/")
    other.route("**/api/v1/marks", lambda route: route.abort())
    press(other, "j", "m")
    becomes("it was tried", lambda: other.locator("#offline").is_visible())
    other.close(run_before_unload=False)
    becomes("it is sent", lambda: hub.status(first) == "watched")
