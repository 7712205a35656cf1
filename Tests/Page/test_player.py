"""The player, against a stand-in that speaks YouTube's protocol."""
import pytest

from views import becomes, card, ids, player_frame, press, sent, toast, visit

# A video of the demo whose description lists chapters.
CHAPTERS = "4_dvH_dMLmo"


def start(page, video):
    card(page, video).locator(".thumb").click()
    page.wait_for_url(f"**/videos/{video}")
    return player_frame(page)


def test_nothing_of_youtube_is_loaded_before_the_click(page, embed):
    embed.requests.clear()
    visit_video = ids(page)[0]
    card(page, visit_video).locator("h3 a").click()
    page.wait_for_url("**/videos/*")
    assert embed.requests == []
    page.locator(".stage button, .stage a").first.click()
    player_frame(page)
    path, referrer = embed.requests[0]
    assert path.startswith(f"/embed/{visit_video}?") and "enablejsapi=1" in path
    assert referrer and referrer.startswith("http://127.0.0.1:") and referrer.count("/") == 3, "the origin alone"


def test_it_is_placed_over_the_stage(page):
    start(page, ids(page)[0])
    stage, frame = page.locator(".stage").bounding_box(), page.locator("#player iframe").bounding_box()
    assert abs(stage["x"] - frame["x"]) < 2 and abs(stage["y"] - frame["y"]) < 2 and abs(stage["width"] - frame["width"]) < 2
    assert page.locator("#player").get_attribute("data-mode") == "stage"
    player, title = page.locator("#player").bounding_box(), page.locator("#main h1").bounding_box()
    assert player["y"] + player["height"] <= title["y"] + 1, "its buttons cover nothing"


def test_the_position_is_kept_and_resumed(page, hub):
    video = ids(page)[0]
    frame = start(page, video)
    frame.evaluate("advance(4)")
    frame.evaluate("advance(40)")
    becomes("kept", lambda: hub.video(video)["progressSeconds"] == 44)
    frame.evaluate("advance(3); pause()")
    becomes("kept at the pause", lambda: hub.video(video)["progressSeconds"] == 47)
    visit(page, hub, "/")
    assert card(page, video).get_attribute("data-position") == "47"
    frame = start(page, video)
    assert "start=47" in frame.url


def test_positions_of_one_play_are_one_action(page, hub):
    video, other = ids(page)[:2]
    hub.mark(other, saved=True)
    frame = start(page, video)
    for seconds in (20, 40, 60):
        frame.evaluate("advance(20)")
        becomes("kept", lambda: hub.video(video)["progressSeconds"] == seconds)
    hub.command("undo", "--yes")
    assert hub.video(video)["progressSeconds"] == 0
    hub.command("undo", "--yes")
    assert not hub.video(other)["saved"]


def test_at_its_end_it_is_watched_and_the_next_plays(page, hub):
    first, second = ids(page)[:2]
    frame = start(page, first)
    frame.evaluate("advance(30)")
    becomes("kept", lambda: hub.video(first)["progressSeconds"] == 30)
    frame.evaluate("end()")
    page.wait_for_url(f"**/videos/{second}")
    becomes("watched", lambda: hub.status(first) == "watched")
    assert hub.video(first)["progressSeconds"] == 0
    becomes("the next", lambda: second in page.locator("#player iframe").get_attribute("src"))
    press(page, "u")
    becomes("undone", lambda: hub.status(first) == "new")
    assert hub.video(first)["progressSeconds"] == 30


def test_n_and_p_follow_the_list_it_came_from(page, hub):
    visit(page, hub, "/?mode=oldest")
    first, second = ids(page)[:2]
    start(page, first)
    press(page, "n")
    page.wait_for_url(f"**/videos/{second}")
    player_frame(page)
    press(page, "p")
    page.wait_for_url(f"**/videos/{first}")
    press(page, "p")
    toast(page, "first video of the list")


def test_it_survives_moving_through_the_page(page, hub):
    video, other = ids(page)[1:3]
    frame = start(page, video)
    frame.evaluate("window.mark = 'same'")
    press(page, "g", "c")
    page.wait_for_url("**/channels")
    assert page.locator("#player").get_attribute("data-mode") == "mini"
    assert frame.evaluate("window.mark") == "same"
    box = page.locator("#player").bounding_box()
    assert box["x"] > 600 and box["y"] + box["height"] <= 801
    page.go_back()
    page.wait_for_url(f"**/videos/{video}")
    page.go_back()
    becomes("the feed", lambda: video in ids(page))
    assert frame.evaluate("window.mark") == "same"
    press(page, "n")
    becomes("the next in the corner", lambda: other in page.locator("#player iframe").get_attribute("src"))
    assert page.url == hub.url + "/"
    page.locator('#player [data-do="close"]').click()
    assert page.locator("#player").is_hidden() and page.locator("iframe").count() == 0


@pytest.mark.parametrize("code", [2, 5, 100, 101, 150, 153])
def test_an_error_shows_the_link(page, code):
    video = ids(page)[0]
    start(page, video).evaluate(f"fail({code})")
    link = page.locator("#player .player-error a")
    link.wait_for()
    assert link.get_attribute("href") == f"https://www.youtube.com/watch?v={video}"
    assert "noreferrer" in link.get_attribute("rel")


def test_messages_of_others_are_ignored(page, hub, embed):
    video = ids(page)[0]
    frame = start(page, video)
    page.evaluate("""postMessage(JSON.stringify({ event: 'onStateChange', info: 0 }), '*')""")
    for text in ("not json", "null", "[]", "1", '{"event":"onStateChange"}', '{"event":"infoDelivery","info":{"currentTime":"x","duration":-1}}',
                 '{"event":"infoDelivery","info":{"currentTime":-5}}', '{"event":"infoDelivery","info":null}'):
        frame.evaluate("text => parent.postMessage(text, '*')", text)
    frame.evaluate("parent.postMessage({ event: 'onStateChange', info: 0 }, '*')")
    frame.evaluate("advance(12)")
    becomes("still heard", lambda: hub.video(video)["progressSeconds"] == 12)
    assert hub.status(video) == "new"


def test_a_player_that_never_answers_is_given_up(page):
    page.add_init_script("window.isDeaf = true; const real = setTimeout; window.setTimeout = (run, time, ...more) => real(run, time === 300 ? 5 : time, ...more)")
    page.reload()
    page.wait_for_selector("html.scripted")
    video = ids(page)[0]
    card(page, video).locator(".thumb").click()
    page.locator("#player .player-error a").wait_for()


def test_the_end_of_the_list_stops(page, hub):
    video = ids(page)[0]
    visit(page, hub, f"/videos/{video}")
    page.locator(".stage button, .stage a").first.click()
    player_frame(page).evaluate("end()")
    becomes("watched", lambda: hub.status(video) == "watched")
    press(page, "n")
    toast(page, "last video of the list")


def test_keys_pause_and_seek_while_the_list_keys_work(page, hub):
    video, other = ids(page)[:2]
    frame = start(page, video)
    frame.evaluate("advance(40)")
    becomes("kept", lambda: hub.video(video)["progressSeconds"] == 40)
    press(page, "ArrowRight", "ArrowLeft", "ArrowLeft", " ")
    becomes("paused, which keeps the position", lambda: hub.video(video)["progressSeconds"] == 30)
    press(page, " ")
    becomes("the commands", lambda: frame.evaluate("commands") == [
        ["seekTo", 50, True], ["seekTo", 40, True], ["seekTo", 30, True], ["pauseVideo"], ["playVideo"]])
    press(page, "g", "f")
    page.wait_for_url(hub.url + "/")
    press(page, "j", "j", "m", "ArrowRight")
    becomes("marked", lambda: hub.status(other) == "watched")
    becomes("moved on", lambda: frame.evaluate("commands.length") == 6)
    press(page, "u")
    becomes("undone", lambda: hub.status(other) == "new")


def test_times_in_the_description_play_from_there(page, hub):
    visit(page, hub, f"/videos/{CHAPTERS}")
    times = page.locator(".description a.time")
    assert times.all_text_contents() == ["0:00", "3:04", "6:28"]
    times.nth(1).click()
    frame = player_frame(page)
    assert frame.evaluate("time") == 184
    becomes("heard", lambda: frame.evaluate("isHeard"))
    times.nth(0).click()
    becomes("the commands", lambda: frame.evaluate("commands") == [["seekTo", 0, True], ["playVideo"]])
    assert page.url.endswith(f"/videos/{CHAPTERS}")


def test_past_the_threshold_it_is_watched_once_while_it_plays(page, hub):
    first, second = ids(page)[:2]
    frame = start(page, first)
    frame.evaluate("advance(539)")
    becomes("kept", lambda: hub.video(first)["progressSeconds"] == 539)
    assert hub.status(first) == "new"
    frame.evaluate("advance(2)")
    becomes("watched", lambda: hub.status(first) == "watched")
    assert hub.video(first)["progressSeconds"] == 0
    press(page, "u")
    becomes("undone", lambda: hub.status(first) == "new")
    frame.evaluate("advance(20)")
    frame.evaluate("end()")
    page.wait_for_url(f"**/videos/{second}")
    assert hub.status(first) == "new"


def test_the_player_follows_the_preferences(page, hub):
    hub.command("preferences", "set", "autoplay", "no")
    hub.command("preferences", "set", "watched-at", "30s")
    hub.command("preferences", "set", "speed", "1.5")
    visit(page, hub, "/")
    first = ids(page)[0]
    frame = start(page, first)
    becomes("the speed", lambda: ["setPlaybackRate", 1.5] in frame.evaluate("commands"))
    frame.evaluate("advance(569)")
    becomes("kept", lambda: hub.video(first)["progressSeconds"] == 569)
    assert hub.status(first) == "new"
    frame.evaluate("advance(1)")
    becomes("watched", lambda: hub.status(first) == "watched")
    frame.evaluate("end()")
    toast(page, "Watched")
    assert page.url.endswith(f"/videos/{first}") and first in page.locator("#player iframe").get_attribute("src")


def test_it_goes_on_beyond_what_the_list_had_loaded(page, hub):
    videos = ids(page)
    last, after = videos[-1], hub.get(f"/videos?limit={len(videos) + 1}")["videos"][-1]["video"]
    start(page, last)
    press(page, "n")
    page.wait_for_url(f"**/videos/{after}")
    becomes("it plays", lambda: after in page.locator("#player iframe").get_attribute("src"))
    press(page, "p")
    page.wait_for_url(f"**/videos/{last}")


@pytest.mark.parametrize("width, height, covered", [(1280, 640, 0.7), (1280, 800, 0.7), (844, 390, 0.9), (390, 844, 0.4)])
def test_the_picture_leaves_room_in_the_window(make_page, hub, width, height, covered):
    page = make_page(viewport={"width": width, "height": height})
    visit(page, hub, f"/videos/{hub.listed()[0]}")
    page.locator(".stage button, .stage a").first.click()
    player_frame(page)
    page.evaluate("scrollTo(0, document.querySelector('.stage').getBoundingClientRect().top)")
    frame = page.locator("#player iframe").bounding_box()
    assert frame["height"] <= height * covered and frame["width"] <= width
    assert abs(frame["width"] / frame["height"] - 16 / 9) < 0.05


def test_the_corner_of_a_phone_is_a_bar(make_page, hub):
    page = make_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visit(page, hub, "/")
    card(page, ids(page)[0]).locator(".thumb").tap()
    player_frame(page)
    page.locator('nav a[href="/"]').tap()
    page.wait_for_url(hub.url + "/")
    box = page.locator("#player").bounding_box()
    assert 56 <= box["height"] <= 64 and box["width"] == 390
    nav = page.locator("nav[aria-label=Main]").bounding_box()
    assert box["y"] + box["height"] <= nav["y"] + 1


def test_the_player_takes_the_width_of_the_window(make_page, hub):
    page = make_page(viewport={"width": 1920, "height": 1000})
    visit(page, hub, "/")
    card(page, ids(page)[0]).locator(".thumb").click()
    player_frame(page)
    before = page.locator("#player .frame").bounding_box()
    page.locator('#player [data-do="theatre"]').click()
    becomes("wider", lambda: page.locator("#player .frame").bounding_box()["width"] > before["width"] + 100)
    frame = page.locator("#player .frame").bounding_box()
    assert frame["y"] + frame["height"] <= 1000, "whole in the window"
    page.reload()
    assert page.locator("html.theatre").count() == 1
