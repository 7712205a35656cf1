"""The documents: README.md and docs/. Their blocks, headings and links, for docs-test.py and site.py."""
import posixpath, re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^( *)```(.*)$")
LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
ATTRIBUTE = re.compile(r'([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?')


@dataclass
class Block:
    """A fenced block: `language`, and the attributes after it, such as as=root-vm or not-run="reason"."""
    path: str
    line: int
    language: str
    attributes: dict
    lines: list = field(default_factory=list)

    @property
    def is_run(self):
        return self.language in ("sh", "console")

    @property
    def reason(self):
        """Why the block is not run by docs-test.py, or None."""
        place = self.attributes.get("as")
        return self.attributes.get("not-run") or (place and f"run by scripts/vm-checks.sh as {place}")


def documents():
    """The paths of all documents, relative to the repository."""
    found = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))]
    return ["README.md", "CHANGELOG.md", "DECISIONS.md"] + found


def text(path):
    return (ROOT / path).read_text()


def blocks(path):
    """The fenced blocks of a document, in order."""
    found, block = [], None
    for number, line in enumerate(text(path).split("\n"), 1):
        fence = FENCE.match(line)
        if block is None and fence:
            language, _, rest = fence[2].strip().partition(" ")
            attributes = {name: quoted or plain or "yes" for name, quoted, plain in ATTRIBUTE.findall(rest)}
            block, indent = Block(path, number, language, attributes), len(fence[1])
        elif block is not None and fence and not fence[2]:
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line[indent:] if not line[:indent].strip() else line)
    return found


def prose(path):
    """The lines of a document without its blocks and code, with their numbers."""
    inside = False
    for number, line in enumerate(text(path).split("\n"), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            yield number, line


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")


def anchors(path):
    """The anchors of a document's headings."""
    found = []
    for _, line in prose(path):
        if match := re.match(r"#{1,6} +(.*)", line):
            name, count = slug(match[1]), 1
            while name in found:
                name, count = f"{slug(match[1])}-{count}", count + 1
            found.append(name)
    return found


def links(path):
    """The links of a document to files of the repository: line, path, anchor."""
    lines = dict(prose(path))
    # The text of a link may go on in the next line; code has none, and ends with its paragraph.
    whole = "\n".join(lines.get(number, "") for number in range(1, max(lines) + 1))
    whole = re.sub(r"`(?:[^`\n]|\n(?!\n))*`", lambda code: "``" + "\n" * code[0].count("\n"), whole)
    for match in LINK.finditer(whole):
        if not re.match(r"[a-z]+:", match[1]):
            name, _, anchor = match[1].partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) if name else path
            yield whole.count("\n", 0, match.start()) + 1, target, anchor


def broken_links():
    """Each link to a file or heading that does not exist, as a sentence."""
    known = {path: anchors(path) for path in documents()}
    problems = []
    for path in known:
        for number, target, anchor in links(path):
            if not (ROOT / target).exists():
                problems.append(f"{path}:{number}: there is no {target}")
            elif anchor and anchor not in known.get(target, [anchor]):
                problems.append(f"{path}:{number}: {target} has no heading #{anchor}")
    return problems


def clicks(target, most=2, start="README.md"):
    """The fewest links that lead from a document to DOCUMENT#ANCHOR, with their pages; None if more than `most`."""
    document, _, anchor = target.partition("#")
    paths = [[start]]
    for _ in range(most):
        longer = []
        for path in paths:
            for _, name, place in links(path[-1].partition("#")[0]):
                if name == document and place == anchor:
                    return path[1:] + [target]
                if name.endswith(".md") and (ROOT / name).exists():
                    longer.append(path + [name])
        paths = longer
    return None
