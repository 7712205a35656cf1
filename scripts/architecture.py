"""Checks docs/architecture.md: a line for each target, under the right floor; walks whose files exist, and their counts.

A line of a module is a row `| Core | Base | what it is |`. A walk is a section whose heading ends with its number of files, as
`### Poll: 38 files`; its lines are `- Core/Polling/PollPlan.swift: which feeds are due`, relative to Sources. `- Open: …` stands
for the files of the walk with that title. A phrase may name declarations in backquotes; they must occur in the file.
"""
import re

ROW = re.compile(r"^\| `([\w-]+)` \| (\w+) \|")
HEADING = re.compile(r"^#+ (.*?)(?:: (\d+) files)?$")
STEP = re.compile(r"^- `?([^`:]+?)`?: (.*)$")


def problems(root, table, package):
    path = root / "docs/architecture.md"
    if not path.exists():
        return ["docs/architecture.md is missing"]
    lines = path.read_text().splitlines()
    return [f"docs/architecture.md:{number}: {text}" for number, text in [
        *module_problems(lines, table, package), *walk_problems(lines, root, package)]]


def module_problems(lines, table, package):
    seen = set()
    for number, line in enumerate(lines, 1):
        if row := ROW.match(line):
            name, floor = row.groups()
            seen.add(name)
            if name not in package.folders:
                yield number, f"the package has no target {name}"
            elif name in table.modules and floor != table.floor(name):
                yield number, f"{name} is on the floor {table.floor(name)}, not {floor}"
    for name in sorted(set(package.folders) - seen):
        yield 1, f"no row for the target {name}"


def walks(lines):
    """By title: line, the number of files it states, and the steps as line, path and phrase."""
    found, title = {}, None
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            heading = HEADING.match(line)
            title = heading[1] if heading[2] else None
            if title:
                found[title] = (number, int(heading[2]), [])
        elif title and (step := STEP.match(line)):
            found[title][2].append((number, *step.groups()))
    return found


def files(found, title):
    """The different files of a walk, in order, with those of the walks that it contains."""
    paths = []
    for _, path, _ in found[title][2]:
        paths += files(found, path) if path in found else [path]
    return list(dict.fromkeys(paths))


def walk_problems(lines, root, package):
    found = walks(lines)
    for title, (number, stated, steps) in found.items():
        for line, path, phrase in steps:
            if path in found:
                continue
            file = root / "Sources" / path
            if not file.is_file():
                yield line, f"Sources/{path} does not exist"
                continue
            text = file.read_text()
            for name in re.findall(r"`([^`]+)`", phrase):
                if not all(re.search(rf"\b{re.escape(word)}\b", text) for word in re.findall(r"\w+", name)):
                    yield line, f"Sources/{path} contains no {name}"
        count = len(files(found, title))
        if count != stated:
            yield number, f"the walk has {count} files, not {stated}"
