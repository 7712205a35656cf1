"""judge-entries.py JUDGE FILE: validates a feed with a library; reports problems and exits with 1 if there are any.

JUDGE is feedparser, atoma, reader (Atom) or jsonschema (JSON Feed, with the schema as a third argument). In all cases
the HTML of entries may contain only paragraphs, line breaks, and links and images with http or https URLs.
"""
import html.parser
import json
import pathlib
import sys

FREE = {"p": set(), "br": set(), "a": {"href"}, "img": {"src", "alt"}}
complaints = []


def complain(text):
    complaints.append(text)


class Content(html.parser.HTMLParser):
    """Reports elements and attributes that are not allowed in the HTML of an entry."""

    def __init__(self, entry):
        super().__init__(convert_charrefs=True)
        self.entry = entry
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in FREE:
            return complain(f"{self.entry}: <{tag}>")
        for name, value in attributes:
            if name not in FREE[tag]:
                complain(f"{self.entry}: <{tag} {name}>")
            elif name in ("href", "src") and not value.startswith(("https://", "http://")):
                complain(f"{self.entry}: <{tag} {name}={value!r}>")
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            complain(f"{self.entry}: unmatched </{tag}>")

    def handle_comment(self, data):
        complain(f"{self.entry}: a comment")

    def handle_decl(self, data):
        complain(f"{self.entry}: a declaration")

    def finish(self):
        self.close()
        for tag in self.open:
            complain(f"{self.entry}: unclosed <{tag}>")


def check_content(entry, text):
    if any(ord(c) < 0x20 and c not in "\t\n" or 0x7F <= ord(c) < 0xA0 for c in text):
        complain(f"{entry}: a control character")
    content = Content(entry)
    content.feed(text)
    content.finish()


def check_count(found, path):
    wanted = pathlib.Path(path).read_text(encoding="utf-8").count("<entry>")
    if found != wanted:
        complain(f"{found} entries, expected {wanted}")


def check_unique(ids):
    if len(set(ids)) != len(ids):
        complain("duplicate entry ID")


def feedparser(path):
    import feedparser

    # Unmodified: sanitising and resolving would rewrite the HTML.
    feed = feedparser.parse(pathlib.Path(path).read_bytes(), sanitize_html=False, resolve_relative_uris=False)
    if feed.bozo:
        complain(f"not well-formed: {feed.bozo_exception}")
    check_count(len(feed.entries), path)
    check_unique([entry.id for entry in feed.entries])
    for entry in feed.entries:
        for name in ("title", "link", "author", "published_parsed", "updated_parsed"):
            if entry.get(name) is None:
                complain(f"{entry.id}: missing {name}")
        if entry.title_detail.type != "text/plain":
            complain(f"{entry.id}: title of type {entry.title_detail.type}")
        check_content(entry.id, entry.content[0].value)


def atoma(path):
    import atoma

    feed = atoma.parse_atom_bytes(pathlib.Path(path).read_bytes())
    check_count(len(feed.entries), path)
    for entry in feed.entries:
        check_content(entry.id_, entry.content.value)


def reader(path):
    import reader

    file = pathlib.Path(path).resolve()
    with reader.make_reader(":memory:", feed_root=str(file.parent)) as store:
        address = file.name
        store.add_feed(address)
        store.update_feed(address)
        if error := store.get_feed(address).last_exception:
            complain(error.value_str)
        check_count(sum(1 for _ in store.get_entries()), path)


def jsonschema(path, schema):
    import jsonschema

    feed = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    rules = json.loads(pathlib.Path(schema).read_text(encoding="utf-8"))
    for error in jsonschema.Draft202012Validator(rules).iter_errors(feed):
        complain(f"{error.json_path}: {error.message}")
    check_unique([item["id"] for item in feed["items"]])
    for item in feed["items"]:
        check_content(item["id"], item["content_html"])


JUDGES = {"feedparser": feedparser, "atoma": atoma, "reader": reader, "jsonschema": jsonschema}
try:
    JUDGES[sys.argv[1]](*sys.argv[2:])
except Exception as error:
    complain(f"{type(error).__name__}: {error}")
for complaint in complaints[:20]:
    print(f"         {complaint}")
sys.exit(1 if complaints else 0)
