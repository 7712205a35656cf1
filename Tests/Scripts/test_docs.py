"""The scripts that run the commands of the documents."""
import importlib.util, sys, tempfile, unittest
from pathlib import Path

scripts = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(scripts))
import docs  # noqa: E402

specification = importlib.util.spec_from_file_location("docs_test", scripts / "docs-test.py")
docs_test = importlib.util.module_from_spec(specification)
specification.loader.exec_module(docs_test)

PAGE = """# A page: `x`

<!-- docs-test: input a.csv Fixtures/a.csv -->

```sh background input="a b\\nc" status=1
serve
```

1. In a list:

   ```console
   $ one
   …
   last 3 d ago
   $ two
   ```

## Two words

```sh not-run="needs root"
apt
```

[there](docs/b.md#c-d), [here](#two-words), `[not](x)`, [out](https://example.org), [over two
lines](docs/b.md)
"""


class DocumentsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, before = Path(folder.name), docs.ROOT
        docs.ROOT = self.root
        self.addCleanup(setattr, docs, "ROOT", before)
        (self.root / "docs").mkdir()
        for name in ("CHANGELOG.md", "DECISIONS.md"):
            (self.root / name).write_text("# X\n")
        (self.root / "README.md").write_text(PAGE)
        (self.root / "docs/b.md").write_text("# B\n\n## C d\n\n[on](e.md#f)\n")
        (self.root / "docs/e.md").write_text("# E\n\n## F\n\n## F\n")

    def test_blocks_have_their_words(self):
        serve, console, apt = docs.blocks("README.md")
        self.assertEqual(serve.attributes, {"background": "yes", "input": "a b\\nc", "status": "1"})
        self.assertEqual((serve.line, serve.lines, serve.reason), (5, ["serve"], None))
        self.assertEqual(docs_test.steps(console), [("one", ["…", "last 3 d ago"]), ("two", None)])
        self.assertEqual(apt.reason, "needs root")

    def test_every_link_leads_somewhere(self):
        self.assertEqual(docs.broken_links(), [])
        (self.root / "docs/e.md").write_text("# E\n\n[gone](g.md) [no heading](b.md#x)\n")
        self.assertEqual(docs.broken_links(), [
            "docs/b.md:5: docs/e.md has no heading #f", "docs/e.md:3: there is no docs/g.md",
            "docs/e.md:3: docs/b.md has no heading #x"])

    def test_a_link_goes_on_in_the_next_line(self):
        self.assertEqual(list(docs.links("README.md"))[-1], (24, "docs/b.md", ""))

    def test_two_links_lead_to_an_answer(self):
        self.assertEqual(docs.clicks("docs/b.md#c-d"), ["docs/b.md#c-d"])
        self.assertEqual(docs.clicks("docs/e.md#f"), ["docs/b.md", "docs/e.md#f"])
        self.assertIsNone(docs.clicks("docs/e.md#f", most=1))

    def test_repeated_headings_have_numbers(self):
        self.assertEqual(docs.anchors("docs/e.md"), ["e", "f", "f-1"])
        self.assertEqual(docs.anchors("README.md"), ["a-page-x", "two-words"])

    def test_blocks_without_a_language_and_indented_ones_are_refused(self):
        (self.root / "docs/e.md").write_text("# E\n\n```\nx\n```\n\n    make\n")
        self.assertEqual(len(docs_test.problems_of_form("docs/e.md")), 2)
        self.assertEqual(docs_test.problems_of_form("README.md"), [])


class OutputTests(unittest.TestCase):
    def assertShows(self, expected, output, shows=True):
        self.assertEqual(docs_test.matches(expected.split("\n"), output.split("\n")), shows, (expected, output))

    def test_output_is_compared(self):
        self.assertShows("20 read, 20 new", "20 read, 20 new")
        self.assertShows("20 read, 20 new", "20 read, 19 new", False)
        self.assertShows("one", "one\ntwo", False)
        self.assertShows("one\ntwo", "one", False)

    def test_times_and_blanks_are_compared_by_their_form(self):
        self.assertShows("1  6 d ago     KEXP", "1  2026-11-15  KEXP")
        self.assertShows("last poll just now", "last poll 3 min ago")
        self.assertShows("last poll just now", "last poll never", False)

    def test_an_ellipsis_stands_for_any_text_or_lines(self):
        self.assertShows("a …\n…\nend", "a b c\nx\ny\nend")
        self.assertShows("…", "")
        self.assertShows("a …c", "a b d", False)
        self.assertShows("…\nend", "x\nno", False)


if __name__ == "__main__":
    unittest.main()
