#!/usr/bin/env python3
"""Finds the test suites that can use a PostgreSQL server, and checks that a run left none of them out:

  scripts/postgres_suites.py               the suites, one a line: ProgramTests.HubStartTests
  scripts/postgres_suites.py RESULTS.xml   fails if one of them did not run, by the JUnit file of a run

There is no list to keep. A suite is one of them if what it is made of reaches one of the names in SOURCES: itself, its base
class, or what it constructs or calls statically. A suite that is about files alone (`isOfFiles`) is none, with all its
subclasses. Of a test target that reaches them outside its suites, all suites are.
"""

import os
import re
import sys
import xml.etree.ElementTree as ElementTree

# What says where the server is, or makes tables there.
SOURCES = {"useDatabase", "TestSchema", "TestEngine", "TestServer", "METUBE_RSS_TEST_POSTGRES"}
# These are made so that any suite may use them, on files.
NEUTRAL = {"Sandbox"}

HEAD = re.compile(
    r"^(?:@\w+(?:\([^\n]*\))? )*(?:(?:private|fileprivate|package|final|open|public) )*"
    r"(class|struct|enum|actor|extension) (\w+)(?:: ([^{\n]*))?", re.M)


class Declaration:
    """A type at the top of a file, with the attributes before it."""

    def __init__(self, kind, name, bases, text, attributes):
        self.kind, self.name, self.text, self.attributes = kind, name, text, attributes
        self.bases = set(re.findall(r"\w+", bases or ""))
        self.has_tests = re.search(r"^ +@Test\b", text, re.M) is not None
        self.is_of_files = re.search(r"class var isOfFiles: Bool \{ true \}", text) is not None
        words = text + attributes
        self.reaches = any(re.search(rf"\b{source}\b", words) for source in SOURCES)
        # `Name(…)`, `Name.make(…)`; a constant of another suite is no use of it.
        self.uses = set(re.findall(r"\b([A-Z]\w*)(?:\.[a-z]\w*)?\(", text))


def without_comments(text):
    return re.sub(r"^\s*//.*$", "", text, flags=re.M)


def declarations(text):
    """The types of a file, and what is outside them."""
    found, rest, end = [], "", 0
    for match in HEAD.finditer(text):
        if match.start() < end:
            continue
        before = text[end:match.start()]
        close = re.compile(r"^\}", re.M).search(text, match.end())
        line = text.find("\n", match.end())
        # `struct Empty {}`
        stop = line if text[match.end():line].rstrip().endswith("}") else close.end() if close else len(text)
        attributes = re.search(r"(?:^@[\s\S]*)?\Z", before, re.M).group()
        found.append(Declaration(*match.groups(), text[match.start():stop], attributes))
        rest += before[:len(before) - len(attributes)]
        end = stop
    return found, rest + text[end:]


def suites(root):
    """The names of the suites, with their targets."""
    result = []
    for target in sorted(os.listdir(root)):
        types, outside = [], ""
        for folder, _, names in os.walk(os.path.join(root, target)):
            for name in sorted(names):
                if name.endswith(".swift"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        found, rest = declarations(without_comments(file.read()))
                    types += found
                    outside += rest
        result += [f"{target}.{name}" for name in of_target(types, outside)]
    return result


def of_target(types, outside):
    of_files = {each.name for each in types if each.is_of_files}
    while True:
        more = {each.name for each in types if each.bases & of_files} - of_files
        if not more:
            break
        of_files |= more
    reaching = {each.name for each in types if each.reaches} - NEUTRAL
    # Extensions of others' types, as `ReadModel.empty()`, and functions outside types are called from anywhere.
    declared = {each.name for each in types if each.kind != "extension"}
    is_everywhere = any(re.search(rf"\b{source}\b", outside) for source in SOURCES) or any(
        each.reaches and each.name not in declared and each.name != "Trait" for each in types if each.kind == "extension")
    while not is_everywhere:
        more = {
            each.name for each in types if (each.bases | each.uses) & (reaching - of_files)} - reaching - NEUTRAL
        if not more:
            break
        reaching |= more
    return sorted(
        {each.name for each in types if each.has_tests and (is_everywhere or each.name in reaching)} - of_files)


def ran(results):
    """The names of the suites of which a test ran, or was left out for another reason than that there is no server: some
    are about what SQLite alone has."""
    names = set()
    for case in ElementTree.parse(results).iter("testcase"):
        reason = case.find("skipped")
        if reason is None or "postgres" not in (reason.text or "").lower():
            names.add(re.sub(r"`", "", case.get("classname", "")))
    return names


def main(arguments):
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    wanted = suites("Tests")
    if not wanted:
        sys.exit("postgres_suites: found no suite; were the names in SOURCES changed?")
    if not arguments:
        print("\n".join(wanted))
        return
    done = ran(arguments[0])
    missing = [name for name in wanted if not any(each == name or each.startswith(name + ".") for each in done)]
    if missing:
        sys.exit("postgres_suites: no test ran of " + ", ".join(missing))
    print(f"postgres_suites: all {len(wanted)} suites that can use PostgreSQL ran on it")


if __name__ == "__main__":
    main(sys.argv[1:])
