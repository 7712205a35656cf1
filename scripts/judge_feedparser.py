"""Expectations of feedparser's tests: Python expressions about `entries[0]`, of which comparisons with a literal count."""

import ast, calendar, importlib, os, re, sys


def path_of(node):
    """The keys of `entries[0]['a'][1]['b']`; None for another expression."""
    keys = []
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        keys.append(node.slice.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
                    else node.attr if isinstance(node, ast.Attribute) else None)
        node = node.value
    keys.reverse()
    if isinstance(node, ast.Name) and node.id == "entries" and keys[:1] == [0] and None not in keys and len(keys) > 1:
        return keys[1:]
    return None


def comparisons(expression):
    """Each (keys, literal) that must hold."""
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except SyntaxError:
        return []
    found = []
    nodes = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    for node in nodes:
        if isinstance(node, ast.Subscript):
            keys = path_of(node)
            if keys:
                found.append((keys, True))
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.Is)):
            keys = path_of(node.left)
            try:
                literal = ast.literal_eval(node.comparators[0])
            except ValueError:
                continue
            if keys:
                found.append((keys, literal))
    return found


def field_of(keys):
    """The field that a comparison judges; None if it is not ours."""
    first, rest = keys[0], keys[1:]
    if first == "title" and not rest or first == "title_detail" and rest == ["value"]:
        return "title"
    if first == "link" and not rest or first == "links" and rest[-1:] == ["href"]:
        return "link"
    if first in ("id", "guid", "guidislink") and not rest:
        return "id"
    if first in ("published_parsed", "updated_parsed", "created_parsed", "published", "updated", "created"):
        return "date" if not rest else None
    if first == "enclosures" and rest[-1:] and rest[-1] in ("url", "href", "type", "length"):
        return "enclosure"
    if first in ("itunes_duration", "itunes_explicit") or first == "image" and rest == ["href"]:
        return "itunes"
    if first in ("media_thumbnail", "media_content") and rest[-1:] in (["url"], ["type"]):
        return "media"
    return None


def expressions(folder):
    """(path, expression) of each file that is judged: not of HTML cleaning, encodings, entities, servers and CDF."""
    for directory, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(directory, name)
            if not name.endswith(".xml") or re.search("sanitize|/tests/encoding|/entities/|/http|/cdf/", path):
                continue
            match = re.search(rb"Description:\s*(.*?)\s*Expect:\s*(.*)\s*-->", open(path, "rb").read())
            if match:
                yield path, match.group(2).decode("utf-8", "replace")


def expectations(folder):
    """(path, field, [(keys, literal)]) of each file."""
    for path, expression in expressions(folder):
        fields = {}
        for keys, literal in comparisons(expression):
            field = field_of(keys)
            if field:
                fields.setdefault(field, []).append((keys, literal))
        for field, wanted in fields.items():
            yield path, field, wanted


# What an expression names if it is about a field of the first entry, in whatever way.
MENTIONS = {
    "title": "title", "link": "link", "id": r"(?:id|guid|guidislink)\b", "itunes": "itunes_", "enclosure": "enclosure",
    "date": "(?:updated|published|created|expired|modified)", "media": "media_(?:content|thumbnail|player)",
}


def mentions(folder):
    """(path, field) of each file whose expression is about a field of the first entry."""
    for path, expression in expressions(folder):
        for field, pattern in MENTIONS.items():
            if re.search(r"entries\[0\].*?['.]" + pattern, expression):
                yield path, field


def same_field(field, entry, wanted, same_text, seconds):
    """Whether our entry has the reference's value of a field, and both values."""
    media = entry.get("media", [])
    if field == "title":
        return same_text(entry.get("title"), wanted.get("title")), entry.get("title"), wanted.get("title")
    if field == "link":
        link = wanted.get("link")
        return link in (entry.get("link"), entry.get("linkAsSent")), entry.get("link"), link
    if field == "id":
        return entry.get("id") == wanted.get("id"), entry.get("id"), wanted.get("id")
    if field == "date":
        # As a feedparser dictionary falls back from `updated` to `published`, only what it holds counts.
        values = [dict.get(wanted, name + "_parsed") for name in ("published", "updated", "created")]
        times = {calendar.timegm(tuple(value)) for value in values if value}
        ours = {seconds(entry[name]) for name in ("published", "updated") if name in entry}
        return times == ours or ours and max(times, default=0) in ours, sorted(ours), sorted(times)
    if field == "itunes":
        values = (wanted.get("itunes_duration"), wanted.get("itunes_explicit") or None)
        ours = (entry.get("duration"), entry.get("isExplicit") or None)
        return ours == (clock(values[0]) if values[0] else None, values[1]), ours, values
    if field == "enclosure":
        files = [(file.get("href"), file.get("type"), file.get("length")) for file in wanted.get("enclosures", [])]
        files = [(href, kind, None if length in (None, "", "0") else length) for href, kind, length in files if href]
        ours = [(file["url"], file.get("type"), str(file["length"]) if "length" in file else None) for file in media]
        return ours == files, ours, files
    urls = [file.get("url") for name in ("media_content", "media_thumbnail") for file in wanted.get(name, [])]
    ours = [file["url"] for file in media] + [entry.get("image")]
    return set(urls) <= set(ours), ours, urls


def reference(folder):
    """The feedparser of the suite itself."""
    sys.path.insert(0, folder)
    return importlib.import_module("feedparser")


def lookup(value, keys):
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def theirs(parsed, keys, literal):
    """Whether feedparser's entry has what it should."""
    entry = parsed.entries[0] if parsed.entries else {}
    value = lookup(entry, keys)
    if keys[0].endswith("_parsed"):
        return value is not None and tuple(value) == tuple(literal)
    return value == literal


def is_kept(parsed, keys):
    """Whether a link is one that we keep: of the page or an enclosure."""
    if keys[0] != "links":
        return True
    relation = lookup(parsed.entries[0] if parsed.entries else {}, keys[:-1] + ["rel"])
    return relation in ("alternate", "enclosure", None)


def clock(text):
    value = 0
    for part in text.split(":"):
        value = value * 60 + int(part)
    return value


def ours(entry, parsed, keys, literal, same_text, seconds):
    """Whether our entry has what it should, and our value."""
    first, last = keys[0], keys[-1]
    media = entry.get("media", [])
    if first in ("title", "title_detail"):
        return same_text(entry.get("title"), literal), entry.get("title")
    if first == "link":
        value = entry.get("link") or entry.get("linkAsSent")
        return literal in (entry.get("link"), entry.get("linkAsSent")), value
    if first == "links":
        values = [entry.get("link"), entry.get("linkAsSent")] + [file["url"] for file in media]
        return literal in values, values
    if first == "guidislink":
        value = bool(entry.get("isPermalink")) and entry.get("link") == entry.get("id")
        return value == literal, value
    if first in ("id", "guid"):
        return entry.get("id") == literal, entry.get("id")
    if first in ("itunes_duration", "itunes_explicit", "image"):
        value = {"itunes_duration": entry.get("duration"), "itunes_explicit": entry.get("isExplicit") or None,
                 "image": entry.get("image")}[first]
        if first == "itunes_explicit" and literal is False:
            literal = None
        return value == (clock(literal) if first == "itunes_duration" else literal), value
    if first == "media_thumbnail":
        return entry.get("image") == literal, entry.get("image")
    if first in ("enclosures", "media_content"):
        index = keys[1]
        if index >= len(media):
            return literal is None, None
        value = media[index].get({"href": "url"}.get(last, last))
        return (str(value) == str(literal)) if literal else value is None, value
    return judge_date(entry, parsed, keys, literal, seconds)


def judge_date(entry, parsed, keys, literal, seconds):
    """A time as a tuple, or as written, which the reference reads. What feedparser calls updated is the date of RSS too."""
    name = keys[0].removesuffix("_parsed")
    if not isinstance(literal, tuple):
        literal = lookup(parsed.entries[0] if parsed.entries else {}, [name + "_parsed"])
    wanted = calendar.timegm(tuple(literal)) if literal else None
    values = [entry.get("published"), entry.get("updated")]
    return wanted in [seconds(value) for value in values if value], values
