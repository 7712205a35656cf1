"""Reading a view: its cards, messages and focus."""
import os

from hub import wait_for

#: Seconds that a page may take for anything, on a busy machine.
PATIENCE = float(os.environ.get("PATIENCE", "60"))


def ids(page):
    """The videos of the cards shown, in order."""
    return page.eval_on_selector_all(
        "#main .card:not([hidden]):not(.leaving)", "cards => cards.map(card => card.dataset.video)")


def settled(page):
    """Waits until nothing moves any more."""
    becomes("nothing leaves", lambda: page.locator("#main .card.leaving").count() == 0)


def go(page, act):
    """Does what leads to another document, and waits for it."""
    with page.expect_navigation():
        act()


def card(page, video):
    return page.locator(f'.card[data-video="{video}"]')


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def current(page):
    """The video of the current card; None without one."""
    return page.evaluate("document.querySelector('.card.current')?.dataset.video ?? null")


def focused(page):
    """The video of the card that has the focus."""
    return page.evaluate("document.activeElement.closest('.card')?.dataset.video ?? null")


def toast(page, text):
    page.locator(".toast", has_text=text).last.wait_for()


def sent(page):
    """Waits until the hub has everything."""
    becomes("everything is sent", lambda: waiting(page) == 0)


def waiting(page):
    return page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('change:')).length")


def becomes(what, condition):
    wait_for(what, condition, PATIENCE)


def visit(page, hub, path):
    page.goto(hub.url + path)
    page.wait_for_selector("html.scripted")


def player_frame(page):
    """The stand-in's frame, once the page subscribed to its events."""
    page.wait_for_selector("#player iframe")
    frame = page.query_selector("#player iframe").content_frame()
    becomes("subscribed", lambda: frame.evaluate("typeof subscriptions === 'object' && subscriptions.has('onStateChange')"))
    return frame
