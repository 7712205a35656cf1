"""A hub that shares its host with others, below a path."""
import socket

import pytest

from views import becomes, go, ids, player_frame, press, sent, visit


@pytest.fixture
def below(hub):
    """The hub at /metube, with a user."""
    hub.stop()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        hub.port = free.getsockname()[1]
    hub.add_user("ann", "a long password")
    hub.arguments += ["--public-url", f"http://127.0.0.1:{hub.port}/metube"]
    hub.start()
    hub.url += "/metube"
    return hub


def log_in(page, hub):
    page.goto(hub.url + "/")
    page.locator('[name="name"]').fill("ann")
    page.locator('[name="password"]').fill("a long password")
    go(page, lambda: page.locator('[name="password"]').press("Enter"))
    page.wait_for_selector("html.scripted")
    assert page.url == hub.url + "/"


def test_marks_keys_undo_and_the_player_work(make_page, below):
    page = make_page()
    log_in(page, below)
    first, second = ids(page)[:2]
    press(page, "j", "m")
    sent(page)
    becomes("it left", lambda: ids(page)[0] == second)
    press(page, "u")
    becomes("it is back", lambda: ids(page)[0] == first)
    press(page, "g", "c")
    page.wait_for_url(below.url + "/channels")
    press(page, "g", "f")
    page.wait_for_url(below.url + "/")
    page.locator(f'.card[data-video="{first}"] .thumb').click()
    page.wait_for_url(below.url + f"/videos/{first}")
    player_frame(page)
    press(page, "g", "f")
    page.wait_for_url(below.url + "/")
    page.locator('#player [data-do="close"]').click()
    page.locator('nav a[href="/metube/settings"]').click()
    page.wait_for_url(below.url + "/settings")
    go(page, lambda: page.locator('form[action="/metube/logout"] button').first.click())
    assert page.url == below.url + "/login"


def test_without_script(make_page, below):
    page = make_page(javascript=False)
    page.goto(below.url + "/saved")
    page.locator('[name="name"]').fill("ann")
    page.locator('[name="password"]').fill("a long password")
    go(page, lambda: page.locator('[name="password"]').press("Enter"))
    assert page.url == below.url + "/saved"
    page.goto(below.url + "/")
    first = page.locator(".card").first.get_attribute("data-video")
    go(page, lambda: page.locator('.card .marks button[value="watched"]').first.click())
    assert page.url.startswith(below.url + "/?")
    assert page.locator(".card").first.get_attribute("data-video") != first


def test_it_opens_offline_and_keeps_its_own(make_page, below, guard):
    guard.is_offline = True
    page = make_page(service_workers="allow")
    log_in(page, below)
    page.evaluate("navigator.serviceWorker.ready")
    becomes("the worker is in charge", lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    visit(page, below, "/")
    shown = ids(page)
    becomes("it is kept", lambda: page.evaluate("caches.open('metube-feed/metube').then((cache) => cache.keys()).then((keys) => keys.length)"))
    below.stop()
    visit(page, below, "/")
    assert ids(page) == shown
    press(page, "j", "m")
    becomes("it waits", lambda: page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('/metubechange:')).length") == 1)
