#!/usr/bin/env python3
"""site-test.py [FOLDER=.build/site]: tests the site that site.py wrote.

Links lead to files and headings; nothing is loaded from another host; with axe-core in Chromium no page has a violation, on
a desktop in the light and on a phone in the dark, and none is wider than the phone. CHROMIUM is the browser. The last line is
`site-test: N passed, M failed`.
"""
import os, posixpath, re, sys
from html.parser import HTMLParser
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

SITE = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / ".build/site").resolve()
PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 900}


class Page(HTMLParser):
    """The anchors and links of a page; what it loads from elsewhere."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.foreign = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            self.anchors.add(values["id"])
        for name in ("href", "src"):
            value = values.get(name)
            if value is None or value.startswith("data:"):
                continue
            if re.match(r"[a-z]+:|//", value):
                if tag != "a":
                    self.foreign.append(value)
            else:
                self.links.append(value)


def dead_links(pages):
    """A sentence for each link that leads nowhere, and for what is loaded from another host."""
    problems = []
    for name, page in pages.items():
        problems += [f"{name}: loads {value}" for value in page.foreign]
        for link in page.links:
            path, _, anchor = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if not (SITE / target).is_file():
                problems.append(f"{name}: there is no {target}")
            elif anchor and anchor not in pages[target].anchors:
                problems.append(f"{name}: {target} has no #{anchor}")
    if re.search(r"@import|url\((?!data:)", (SITE / "style.css").read_text()):
        problems.append("style.css: loads another file")
    return problems


def violations(browser, names):
    """What axe and a narrow screen say of each page; how many pages were looked at."""
    problems, count = [], 0
    for scheme, size in (("light", DESKTOP), ("dark", PHONE)):
        context = browser.new_context(color_scheme=scheme, viewport=size)
        requested = []
        context.on("request", lambda request: requested.append(request.url))
        page = context.new_page()
        for name in names:
            page.goto(f"file://{SITE}/{name}")
            for violation in Axe().run(page).response["violations"]:
                nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
                problems.append(f"{name}, {scheme}, {size['width']} px: {violation['id']}: {nodes}")
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > size["width"]:
                problems.append(f"{name}, {size['width']} px: {width} px wide")
            count += 1
        problems += [f"requested {url}" for url in requested if not url.startswith(("file:", "data:"))]
        context.close()
    return problems, count


def main():
    names = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
    pages = {name: Page(SITE / name) for name in names}
    problems = dead_links(pages)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"] if os.geteuid() == 0 else [])
        found, count = violations(browser, names)
        browser.close()
    problems += found
    for problem in problems:
        print(f"FAIL {problem}")
    links = sum(len(page.links) for page in pages.values())
    print(f"{links} links of {len(pages)} pages; axe looked at {count}")
    print(f"site-test: {count} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
