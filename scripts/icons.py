"""Draws the PNG icons of the page from its SVG, in Chromium: after a change of icon.svg, with the Python of `make page-test`."""
import os
from pathlib import Path

from playwright.sync_api import sync_playwright

assets = Path(__file__).resolve().parent.parent / "Sources/Hub/HubPage/Assets"
drawing = (assets / "icon.svg").read_text()
# Systems cut maskable icons to shapes of their own: the ground reaches the edges, the sign is in the inner 80 %.
maskable = drawing.replace('rx="15"', "").replace("<path", '<g transform="translate(6.4 6.4) scale(.8)"><path', 1).replace("</svg>", "</g></svg>")

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
    for name, size, source in (("icon-192", 192, drawing), ("icon-512", 512, drawing), ("icon-maskable-512", 512, maskable)):
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:{size}px}}</style>{source}")
        page.screenshot(path=assets / f"{name}.png", omit_background=True)
    browser.close()
