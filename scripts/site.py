#!/usr/bin/env python3
"""site.py [FOLDER=.build/site]: writes README.md and docs/ as a static site: HTML and one style sheet, without scripts and
without requests to other hosts. Needs markdown-it-py (PyPI); `make site` runs it in an environment of its own.

The path of a page is that of its document: docs/install.md is docs/install.html, README.md is index.html. Files of the
repository that a document links to are copied.
"""
import html, itertools, posixpath, re, shutil, sys
from pathlib import Path

from markdown_it import MarkdownIt

import docs

HOME = "README.md"
# The order of the menu; documents that are not named follow in their folder's group.
GROUPS = [
    ("Start", ["README.md", "docs/install.md", "docs/first-hour.md", "docs/every-day.md"]),
    ("Run a hub", ["docs/readers.md", "docs/household.md", "docs/many.md", "docs/operate.md"]),
    ("Reference", ["docs/reference/"]),
    ("Design", ["docs/architecture.md", "docs/design/"]),
    ("Project", ["CHANGELOG.md", "DECISIONS.md", "docs/decisions/"]),
]
COMMENT = re.compile(r"<!-- docs-test: .*? -->\n*")


def page_path(path):
    """Where the page of a document is, relative to the site."""
    return "index.html" if path == HOME else path.removesuffix(".md") + ".html"


def title(path):
    """The first heading of a document, as text."""
    heading = next(line for line in docs.text(path).split("\n") if line.startswith("# "))
    return re.sub(r"[`*]", "", heading[2:])


def relative(target, path):
    return posixpath.relpath(target, posixpath.dirname(page_path(path)) or ".")


def caption(attributes):
    """What the words after a block's language mean for its reader, or an empty text."""
    if "background" in attributes:
        return "runs until Ctrl-C; continue in another terminal"
    if typed := attributes.get("input"):
        return f"enter: {typed.split(chr(92) + 'n')[0]}"
    if "as" in attributes:
        return "on the server, as a user who may use sudo"
    return ""


class Renderer:
    """Renders documents; remembers which files of the repository they link to."""

    def __init__(self):
        self.files = set()
        self.markdown = MarkdownIt("commonmark").enable("table")
        self.markdown.add_render_rule("fence", Renderer.fence)

    @staticmethod
    def fence(_, tokens, index, options, env):
        token = tokens[index]
        language, _, rest = token.info.partition(" ")
        attributes = {name: quoted or plain or "yes" for name, quoted, plain in docs.ATTRIBUTE.findall(rest)}
        words = caption(attributes)
        note = f"<figcaption>{html.escape(words)}</figcaption>" if words else ""
        # Keys reach what is wider than the screen.
        return (f'<figure>{note}<pre tabindex="0" data-language="{html.escape(language)}"><code>{html.escape(token.content)}'
                "</code></pre></figure>\n")

    def render(self, path):
        """The HTML of a document, and its headings of the second level: anchor, text."""
        tokens = self.markdown.parse(COMMENT.sub("", docs.text(path)))
        names, headings = iter(docs.anchors(path)), []
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                name = next(names)
                token.attrSet("id", name)
                if token.tag == "h2":
                    headings.append((name, re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", tokens[index + 1].content)))
            for child in token.children or []:
                for attribute in ("href", "src"):
                    if value := child.attrGet(attribute):
                        child.attrSet(attribute, self.target(value, path))
        text = self.markdown.renderer.render(tokens, self.markdown.options, {})
        numbers = itertools.count(1)
        text = re.sub("<table>", lambda _: f'<div class="table" tabindex="0" role="region" aria-label="Table {next(numbers)}"><table>',
                      text)
        text = text.replace("</table>", "</table></div>").replace("<th></th>", "<td></td>")
        return text, headings

    def target(self, link, path):
        """A link of a document as one of its page."""
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            return link
        name, _, anchor = link.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if file.endswith(".md") and (docs.ROOT / file).is_file():
            file = page_path(file)
        else:
            self.files.add(file)
        return relative(file, path) + (f"#{anchor}" if anchor else "")


def menu(paths, path):
    """The menu of all pages, from one of them."""
    left, parts = list(paths), []
    for name, entries in GROUPS:
        group = []
        for entry in entries:
            group += [each for each in left if (each.startswith(entry) if entry.endswith("/") else each == entry)]
        left = [each for each in left if each not in group]
        lines = "".join(
            f'<li><a href="{relative(page_path(each), path)}"{" aria-current=page" if each == path else ""}>'
            f"{html.escape(title(each))}</a></li>" for each in group)
        parts.append(f"<h2>{name}</h2><ul>{lines}</ul>")
    if left:
        sys.exit(f"site: {left[0]} is in no group of scripts/site.py")
    return "".join(parts)


def page(paths, path, renderer):
    text, headings = renderer.render(path)
    name = title(path)
    contents = "".join(f'<li><a href="#{anchor}">{html.escape(words)}</a></li>' for anchor, words in headings)
    if len(headings) > 2:
        text = text.replace("</h1>\n", f'</h1>\n<details class="contents"><summary>On this page</summary><ul>{contents}</ul>'
                            "</details>\n", 1)
    title_text = name if path == HOME else f"{name} · metube-rss"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title_text)}</title>
<link rel="stylesheet" href="{relative("style.css", path)}">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a href="{relative("index.html", path)}">metube-rss</a> <a class="down" href="#documents">All documents</a></header>
<div class="columns">
<main id="content">
{text}</main>
<nav id="documents" aria-label="Documents">{menu(paths, path)}</nav>
</div>
</body>
</html>
"""


def main():
    site = Path(sys.argv[1] if len(sys.argv) > 1 else docs.ROOT / ".build/site")
    shutil.rmtree(site, ignore_errors=True)
    renderer, paths = Renderer(), docs.documents()
    for path in paths:
        target = site / page_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(paths, path, renderer))
    shutil.copy(Path(__file__).with_name("site.css"), site / "style.css")
    for file in sorted(renderer.files):
        if not (docs.ROOT / file).is_file():
            # site-test.py and docs-test.py report the link.
            continue
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(docs.ROOT / file, site / file)
    size = sum(each.stat().st_size for each in site.rglob("*") if each.is_file())
    print(f"{site}/index.html: {len(paths)} pages, {size // 1000} kB")


if __name__ == "__main__":
    main()
