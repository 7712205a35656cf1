#!/usr/bin/env python3
"""documents.py PROGRAM FOLDER: installs the documents of metube-rss or metube-hub from docs/ into FOLDER, such as
/usr/share/doc/metube-hub, with the pictures that they show. documents.py --remove FOLDER removes them.

Links lead to installed files: to those of the other program beside FOLDER, and to the repository's page for files that are not
installed (decisions, sources).
"""
import pathlib, posixpath, re, shutil, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOMEPAGE = "https://github.com/metube-rss/metube-rss/blob/main/"
# Pages about the server; all others are metube-rss's.
HUB = {
    "readers", "household", "many", "api", "reader-apis", "hub-settings", "limits", "push", "sync", "postgresql",
    "benchmarks-postgresql"}
NOT_INSTALLED = {"decisions", "examples"}
PICTURES = (".png", ".svg")
# [text](link), ![text](link), with an optional #anchor.
LINK = re.compile(r"(?P<head>\]\()(?P<path>[^)\s#:]+)(?P<anchor>#[^)\s]*)?(?=\))")


def program_of(page):
    return "metube-hub" if pathlib.PurePath(page).stem in HUB else "metube-rss"


def pages():
    """Paths of all installed pages below docs/, with the programs that they belong to."""
    docs = ROOT / "docs"
    found = (each.relative_to(docs) for each in docs.rglob("*.md"))
    return {each.as_posix(): program_of(each) for each in found if each.parts[0] not in NOT_INSTALLED}


def install(program, folder):
    owners = pages()
    for page in sorted(each for each, owner in owners.items() if owner == program):
        pictures = set()
        base = posixpath.dirname(page)

        def link(match):
            target = posixpath.normpath(posixpath.join("docs", base, match["path"]))
            name = target.removeprefix("docs/")
            anchor = match["anchor"] or ""
            if owners.get(name) == program:
                return match.group()
            if (ROOT / target).suffix in PICTURES and (ROOT / target).is_file():
                pictures.add(name)
                return match.group()
            example = name.startswith("examples/") and "metube-hub"
            if owner := owners.get(name) or example:
                up = posixpath.relpath("..", base or ".")
                return f"{match['head']}{up}/{owner}/{name}{anchor}"
            return f"{match['head']}{HOMEPAGE}{target}{anchor}"

        text = LINK.sub(link, (ROOT / "docs" / page).read_text())
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        for picture in pictures:
            (folder / picture).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / "docs" / picture, folder / picture)


def remove(folder):
    """Removes documents and pictures, and the folders that become empty."""
    if not folder.is_dir():
        return
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.suffix in (".md", *PICTURES):
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    if not any(folder.iterdir()):
        folder.rmdir()


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("metube-rss", "metube-hub", "--remove"):
        sys.exit("usage: documents.py metube-rss|metube-hub|--remove FOLDER")
    if sys.argv[1] == "--remove":
        remove(pathlib.Path(sys.argv[2]))
    else:
        install(sys.argv[1], pathlib.Path(sys.argv[2]))
