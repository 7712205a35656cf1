#!/usr/bin/env python3
"""layers.py [--root FOLDER] [--manifest FILE]: checks the structure of the package against scripts/layers.txt.

  - Each target belongs to a floor and imports only lower floors, and of its own only what the table names. Modules that must
    not see each other do not, through others neither; a program links no module that it must not have.
  - A module has at most MODULE_LINES lines, a file FILE_LINES, a function FUNCTION_LINES.
  - SQL is written only in the modules that the table names.
  - Below the front ends errors are evidence: only files that put them into words make a `Failure` of a status and a text.
    No module decides by how a message begins.
  - The folders of a module have no cycle, by the types that they declare and name.
  - docs/architecture.md names each target with its floor, and only files that exist (see architecture.py).

Exceptions stand in the table with what they allow today. An exception that is larger than needed fails too: they shrink.
`--manifest` reads the output of `swift package dump-package` from a file.
"""
import argparse, json, re, subprocess, sys, tempfile
from collections import defaultdict
from pathlib import Path

import architecture
from swift_source import Source

MODULE_LINES, FILE_LINES, FUNCTION_LINES = 7000, 400, 40
# Lines of a module come and go: its exception is lowered when so many of it are not needed.
MODULE_STEP = 500
TEXT_FILES = {".swift", ".sql", ".js", ".mjs", ".css", ".c", ".h"}
# At the start of a literal. `DELETE` alone is a method of HTTP.
SQL = re.compile(
    r"\s*(?:(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|LOCK|LISTEN|UNLISTEN|NOTIFY|TRUNCATE|COPY|MERGE"
    r"|EXPLAIN|ATTACH|DETACH|REINDEX|SAVEPOINT|RELEASE|VALUES|GRANT|SET|BEGIN|COMMIT|ROLLBACK|VACUUM|ANALYZE)\s"
    r"|(?:BEGIN|COMMIT|ROLLBACK|VACUUM|ANALYZE)$)")

# `Failure(.disk, …)`, `Failure(error.status, …)`: of a status and more; `Failure(error)` has one argument without a status.
FAILURE = re.compile(r"\bFailure\(\s*(?:status:|\.[a-z]\w*\s*,|[\w.]*\b[sS]tatus\b[^,()]*,|[^,()]*\? *\.\w+ *:[^,()]*,)")
MESSAGE_CUT = re.compile(r"\b(?:message|detail)\s*\.\s*(?:hasPrefix|hasSuffix|starts)\(")
WORDING_FILE = re.compile(r"UserMessages\b.*|\w+\+Message\.swift")


class Table:
    """scripts/layers.txt: a word for the kind of a line, then what it says; `#` starts a comment."""

    def __init__(self, path):
        self.path, self.ranks, self.modules, self.sql, self.products = path, {}, {}, set(), {}
        self.evident, self.worded = set(), set()
        self.absent, self.apart, self.exceptions, self.is_placed = {}, [], {}, False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            words = line.split("#")[0].split()
            if words:
                try:
                    getattr(self, "read_" + words[0])(*words[1:])
                except (AttributeError, TypeError, ValueError, KeyError) as error:
                    sys.exit(f"layers: {path}:{number}: cannot read “{line.strip()}”: {error}")

    def read_floors(self, *words):
        rank = 0
        for word in words:
            if word == "|":
                rank += 1
            else:
                self.ranks[word] = rank

    def read_placed(self):
        self.is_placed = True

    def read_module(self, name, floor, *own):
        self.ranks[floor]
        self.modules[name] = (floor, set(own))

    def read_sql(self, *modules):
        self.sql |= set(modules)

    def read_evident(self, *floors):
        self.evident |= set(floors)

    def read_worded(self, *modules):
        self.worded |= set(modules)

    def read_product(self, name, *floors):
        self.products[name] = set(floors)

    def read_absent(self, program, *modules):
        self.absent[program] = set(modules)

    def read_apart(self, *names):
        self.apart.append(names)

    def read_except(self, kind, *words):
        """`amount` is a number, or 1 for what is there or not."""
        amount = int(words[-1]) if words[-1].isdigit() else 1
        self.exceptions[kind, *(words[:-1] if words[-1].isdigit() else words)] = [amount, 0]

    def floor(self, name):
        return self.modules[name][0]


class Package:
    """The targets under Sources, by name: their folders, imports and files."""

    def __init__(self, root, manifest):
        self.root, self.folders, self.imports, self.products, self.types = root, {}, {}, {}, {}
        targets = [each for each in manifest["targets"] if each["type"] not in ("test", "plugin", "macro")]
        folders = {each["name"]: Path(each.get("path") or f"Sources/{each['name']}") for each in targets}
        names = {name for name, folder in folders.items() if folder.parts[0] == "Sources"}
        for target in targets:
            name = target["name"]
            if name not in names:
                continue
            self.folders[name], self.types[name] = folders[name], target["type"]
            wanted = [next(iter(each.values()))[0] for each in target["dependencies"]]
            self.imports[name] = {each for each in wanted if each in folders}
            self.products[name] = {each for each in wanted if each not in folders}
        self.sources = {name: self.read(folder) for name, folder in self.folders.items()}

    def read(self, folder):
        paths = sorted(path for path in (self.root / folder).rglob("*") if path.suffix in TEXT_FILES)
        return {path.relative_to(self.root / folder): self.parse(path) for path in paths}

    @staticmethod
    def parse(path):
        text = path.read_text()
        return Source(text) if path.suffix == ".swift" else text

    def swift(self, module):
        return {path: source for path, source in self.sources[module].items() if isinstance(source, Source)}

    def closure(self, name):
        """All modules that a target contains, itself left out."""
        found, waiting = set(), [name]
        while waiting:
            more = self.imports.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        return found


class Check:
    def __init__(self, table, package):
        self.table, self.package, self.problems = table, package, []

    def report(self, place, text):
        self.problems.append(f"{place}: {text}")

    def allows(self, kind, *key, amount=1):
        """Whether an exception covers it; its use is counted."""
        exception = self.table.exceptions.get((kind, *key))
        if not exception:
            return False
        exception[1] += amount
        return exception[1] <= exception[0]

    def limit(self, usual, *key):
        """What an exception allows; else the usual limit."""
        return self.table.exceptions.get(key, [usual])[0]

    def run(self):
        unknown = sorted(set(self.package.folders) - set(self.table.modules))
        for name in unknown:
            self.report(name, f"not in {self.table.path.name}; add the line `module {name} FLOOR`")
        for name in sorted(set(self.table.modules) - set(self.package.folders)):
            self.report(self.table.path.name, f"the package has no target {name}; delete its line")
        if not unknown:
            self.check_imports()
            self.check_programs()
            for name in self.package.folders:
                self.check_place(name)
                self.check_sizes(name)
                self.check_sql(name)
                self.check_failures(name)
                self.check_folders(name)
            self.check_exceptions()
        return self.problems

    def check_imports(self):
        for name, imports in self.package.imports.items():
            floor, own = self.table.modules[name]
            for other in sorted(imports):
                if not self.may_import(floor, own, other) and not self.allows("import", name, other):
                    self.report(name, f"imports {other}: {floor} must not see {self.table.floor(other)}"
                                if self.table.floor(other) != floor else
                                f"imports {other} of its own floor, which its line in {self.table.path.name} does not name")
            for other in sorted(own - imports):
                self.report(self.table.path.name, f"{name} does not import {other}; delete it from its line")
            for product in sorted(self.package.products[name]):
                floors = self.table.products.get(product)
                if floors is None:
                    self.report(name, f"uses {product}; add the line `product {product} FLOORS`")
                elif not {floor, name} & floors and not self.allows("import", name, product):
                    self.report(name, f"uses {product}, which only {' and '.join(sorted(floors))} may")

    def may_import(self, floor, own, other):
        theirs = self.table.floor(other)
        return other in own if theirs == floor else self.table.ranks[theirs] < self.table.ranks[floor]

    def check_programs(self):
        """What a program must not link, and modules that must not see each other."""
        for program, absent in self.table.absent.items():
            contained = self.package.closure(program)
            for name in sorted(contained):
                if absent & {name, self.table.floor(name)} and not self.allows("linked", program, name):
                    self.report(program, f"links {name}")
        for names in self.table.apart:
            modules = [name for name in names if "/" not in name]
            for name in modules:
                for other in sorted(self.package.closure(name) & set(modules)):
                    self.report(name, f"contains {other}; dialects know nothing of each other")

    def check_place(self, name):
        """A module in the folder of a floor lies in that of its own; with the line `placed` each does."""
        folder, floor = self.package.folders[name], self.table.floor(name)
        if folder.parts[1] != floor and (self.table.is_placed or folder.parts[1] in self.table.ranks):
            self.report(folder, f"belongs in Sources/{floor}")

    def check_sizes(self, name):
        swift = self.package.swift(name)
        self.check_module_lines(name, sum(source.lines for source in swift.values()))
        for path, source in self.package.sources[name].items():
            lines = source.lines if path in swift else source.count("\n")
            place = self.package.folders[name] / path
            if lines > FILE_LINES and not self.allows("file", name, path.name, amount=lines):
                self.report(place, f"{lines} lines; at most {self.limit(FILE_LINES, 'file', name, path.name)}")
        for path, source in swift.items():
            for function, first, lines in source.functions():
                key = ("function", name, path.name, function)
                if lines > FUNCTION_LINES and not self.allows(*key, amount=lines):
                    self.report(f"{self.package.folders[name] / path}:{first}",
                                f"{function} has {lines} lines; at most {self.limit(FUNCTION_LINES, *key)}")

    def check_module_lines(self, name, lines):
        if lines > MODULE_LINES and not self.allows("lines", name, amount=lines):
            self.report(name, f"{lines} lines of Swift; at most {self.limit(MODULE_LINES, 'lines', name)}")

    def check_sql(self, name):
        if name in self.table.sql:
            return
        for path, source in self.package.sources[name].items():
            if f"{name}/{path.name}" in self.table.sql:
                continue
            place = self.package.folders[name] / path
            if path.suffix == ".sql" and not self.allows("sql", name, path.name):
                self.report(place, "SQL in a module that must contain none")
            if not isinstance(source, Source):
                continue
            for offset, text in source.literals:
                if SQL.match(text) and not self.allows("sql", name, path.name):
                    self.report(f"{place}:{source.line(offset)}",
                                f"SQL in a module that must contain none: “{' '.join(text.split())[:60]}”")

    def check_failures(self, name):
        """Errors below the front ends have no texts, and no module inspects the text of one."""
        is_evident = self.table.floor(name) in self.table.evident and name not in self.table.worded
        for path, source in self.package.swift(name).items():
            place = self.package.folders[name] / path
            if is_evident and not WORDING_FILE.fullmatch(path.name):
                for match in FAILURE.finditer(source.code):
                    if not self.allows("failure", name, path.name):
                        self.report(f"{place}:{source.line(match.start())}",
                                    "a failure with a text; throw an error with evidence, which UserMessages words")
            for match in MESSAGE_CUT.finditer(source.code):
                self.report(f"{place}:{source.line(match.start())}", "looks into a message; look at its evidence")

    def check_folders(self, name):
        """The folders at the top of a module, and its own files as one: none reaches itself through others."""
        edges = self.folder_edges(name)
        for cycle in cycles({folder: set(others) for folder, others in edges.items()}):
            if not self.allows("cycle", name, *sorted(cycle)):
                self.report(self.package.folders[name], f"the folders {', '.join(sorted(cycle))} form a cycle: " + "; ".join(
                    f"{one} → {two} ({', '.join(sorted(edges[one][two])[:3])})"
                    for one in sorted(cycle) for two in sorted(set(edges[one]) & cycle)))
        for names in self.table.apart:
            folders = {each.split("/")[1] for each in names if each.split("/")[0] == name and "/" in each}
            for one in sorted(folders):
                for two in sorted((folders & set(edges[one])) - {one}):
                    self.report(self.package.folders[name] / one, f"uses {', '.join(sorted(edges[one][two]))} of {two}")

    def folder_edges(self, name):
        """By folder and other folder, the types of the other that it uses. A name that two files declare counts for none."""
        swift, declaring = self.package.swift(name), defaultdict(set)
        for path, source in swift.items():
            for each in source.types():
                declaring[each].add(path)
        edges = defaultdict(lambda: defaultdict(set))
        for path, source in swift.items():
            for each in source.references():
                if len(declaring.get(each, ())) == 1:
                    one, two = folder_of(path), folder_of(next(iter(declaring[each])))
                    if one != two:
                        edges[one][two].add(each)
        return edges

    def check_exceptions(self):
        for (kind, *key), (allowed, used) in self.table.exceptions.items():
            words = " ".join([kind, *key])
            slack = MODULE_STEP if kind == "lines" else 0
            if used == 0:
                self.report(self.table.path.name, f"“except {words}” is not needed any more; delete it")
            elif used < allowed - slack:
                self.report(self.table.path.name, f"“except {words} {allowed}” is too large; lower it to {used}")


def folder_of(path):
    return path.parts[0] if len(path.parts) > 1 else "(top)"


def cycles(edges):
    """The sets of folders that reach each other, larger than one."""
    def reach(start):
        found, waiting = set(), [start]
        while waiting:
            more = edges.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        return found

    reached = {each: reach(each) for each in edges}
    return {frozenset(other for other in reached[each] if each in reached.get(other, ()))
            for each in edges if each in reached[each]}


def manifest_of(root):
    # A scratch folder of its own: another build may hold the lock of .build.
    with tempfile.TemporaryDirectory() as scratch:
        return json.loads(subprocess.run(
            ["swift", "package", "--package-path", root, "--scratch-path", scratch, "dump-package"],
            check=True, stdout=subprocess.PIPE).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--manifest", type=Path)
    options = parser.parse_args()
    manifest = json.loads(options.manifest.read_text()) if options.manifest else manifest_of(options.root)
    table = Table(options.root / "scripts/layers.txt")
    package = Package(options.root, manifest)
    problems = Check(table, package).run() + architecture.problems(options.root, table, package)
    for problem in problems:
        print(f"layers: {problem}", file=sys.stderr)
    if problems:
        sys.exit(f"layers: {len(problems)} violations; see scripts/layers.txt and docs/architecture.md")


if __name__ == "__main__":
    main()
