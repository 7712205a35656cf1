#!/usr/bin/env python3
"""manual.py FOLDER: writes manual pages from a program's --experimental-dump-help output on standard input.

One page for the program, such as metube-rss.1, with the tables of docs/, and one for each command,
metube-rss-COMMAND.1. man-pages(7), man(7).
"""
import json
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DOCS = os.path.join(ROOT, "docs")
with open(os.path.join(ROOT, "VERSION"), encoding="utf-8") as version_file:
    VERSION = version_file.read().strip()


def escaped(text):
    """A line of text, escaped for troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def spelling(argument):
    """The synopsis of an option or argument: -o, --output FILE."""
    value = argument.get("valueName") or ""
    if argument["kind"] == "positional":
        return value.upper() + ("..." if argument.get("isRepeating") else "")
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names") or []]
    names.sort(key=len)
    return ", ".join(names) + (f" {value.upper()}" if argument["kind"] == "option" else "")


def meaning(argument):
    """The description of an option or argument, with its values and its default, as in --help."""
    parts = []
    if argument.get("allValues"):
        parts.append("values: " + ", ".join(argument["allValues"]))
    if argument.get("defaultValue"):
        parts.append("default: " + argument["defaultValue"])
    abstract = argument.get("abstract") or ""
    return f"{abstract} ({'; '.join(parts)})" if parts else abstract


def shown(command):
    return [argument for argument in command.get("arguments") or [] if argument.get("shouldDisplay", True)]


def grouped(arguments):
    """The descriptions of options with their spellings; --pager and --no-pager share one."""
    groups = []
    for argument in arguments:
        text, spelled = meaning(argument), spelling(argument)
        if groups and groups[-1][0] == text and spelled.startswith("--no-"):
            groups[-1][1].append(spelled)
        else:
            groups.append((text, [spelled]))
    return groups


def written(text, indent=""):
    """Filled paragraphs, and lines indented by two spaces, which are kept verbatim with `indent` instead."""
    lines, stands = [], False
    for line in text.strip("\n").split("\n"):
        if line.startswith("  ") != stands:
            lines.append(".fi" if stands else ".nf")
            stands = not stands
        lines.append(escaped(indent + line[2:] if stands else line) if line else ".PP")
    return lines + ([".fi"] if stands else [])


def described(heading, name, section=None):
    """A section from docs/NAME.md, or from a section of it: its first paragraph, then each row of its first table."""
    with open(os.path.join(DOCS, name + ".md"), encoding="utf-8") as file:
        text = file.read()
    if section:
        text = section + "\n" + text.split(f"\n## {section}\n", 1)[1]
    parts = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").split("\n\n")
    lines = [".SH " + heading]
    if not parts[1].startswith("|"):
        lines.append(escaped(" ".join(parts[1].split("\n"))))
    rows = next(part for part in parts if part.startswith("|")).split("\n")[2:]
    for row in rows:
        first, meaning = row.strip("| ").split(" | ", 1)
        lines += [".TP", f"\\fB{escaped(first)}\\fR", escaped(meaning.replace(" | ", ": "))]
    return lines


def page(path, command, children):
    name = "-".join(path)
    lines = [f'.TH "{name.upper()}" 1 "" "{path[0]} {VERSION}" "User Commands"', ".ad l", ".nh", ".SH NAME"]
    lines.append(escaped(name) + " \\- " + escaped(command.get("abstract", "").rstrip(".")))
    lines += [".SH SYNOPSIS", ".B " + escaped(" ".join(path))]
    if any(argument["kind"] != "positional" for argument in shown(command)):
        lines.append("[\\fIoption\\fR]...")
    for argument in shown(command):
        if argument["kind"] == "positional":
            text = escaped(spelling(argument))
            lines.append(f"[\\fI{text}\\fR]" if argument.get("isOptional") else f"\\fI{text}\\fR")
    if children:
        lines.append("\\fIcommand\\fR")
    prose, examples, rest = (command.get("discussion") or "").partition("Examples:\n")
    if prose:
        lines += [".SH DESCRIPTION"] + written(prose, indent="  ")
    if shown(command):
        lines.append(".SH OPTIONS")
        for text, spellings in grouped(shown(command)):
            lines += [".TP", f"\\fB{escaped(', '.join(spellings))}\\fR", escaped(text)]
    if children:
        lines.append(".SH COMMANDS")
        for child in children:
            lines += [".TP", f"\\fB{escaped(child['commandName'])}\\fR", escaped(child.get("abstract", ""))]
    if len(path) == 1:
        lines += described("EXIT STATUS", "reference/exit-status")
        lines += described("ENVIRONMENT", "reference/hub-settings") if name == "metube-hub" else described("ENVIRONMENT", "reference/settings")
        lines += described("FILES", "reference/files")
    if examples:
        lines += [".SH EXAMPLES"] + written(rest)
    if children:
        lines += [".SH SEE ALSO"]
        pages = [f"{name}-{child['commandName']}(1)" for child in children]
        pages += ["metube-rss-log(5)"] if len(path) == 1 else []
        lines.append(", ".join(f"\\fB{escaped(page[:-3])}\\fR{page[-3:]}" for page in pages))
    if len(path) == 1:
        lines.append("The folder doc/metube-rss beside the manual pages has more about polling, formats and the timer.")
    return name, "\n".join(lines) + "\n"


def write(folder, path, command):
    children = [child for child in command.get("subcommands") or [] if child["commandName"] != "help"]
    name, text = page(path, command, children)
    with open(os.path.join(folder, name + ".1"), "w", encoding="utf-8") as file:
        file.write(text)
    for child in children:
        write(folder, path + [child["commandName"]], child)


command = json.load(sys.stdin)["command"]
write(sys.argv[1], [command["commandName"]], command)
