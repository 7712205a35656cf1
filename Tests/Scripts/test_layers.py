"""scripts/layers.py on a small package, and on copies of this one with a planted violation."""
import json, re, shutil, subprocess, sys, tempfile, unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from swift_source import Source  # noqa: E402

TABLE = """floors Base | Store | App | CLI Hub
module Values Base
module Tables Store
module Cases App
module Terminal CLI
module program CLI Terminal
module Page Hub
module OneDialect Hub Page
module OtherDialect Hub Page
sql Tables
evident Base Store App
worded Values
product Parser CLI
absent program Hub
apart OneDialect OtherDialect
apart Cases/One Cases/Other
"""
IMPORTS = {
    "Values": [], "Tables": ["Values"], "Cases": ["Tables", "Values"], "Terminal": ["Cases", "Parser"],
    "program": ["Terminal"], "Page": ["Cases"], "OneDialect": ["Page"], "OtherDialect": ["Page"]}
FILES = {
    "Values/Value.swift": "package struct Value {}\n",
    "Tables/Rows.swift": 'struct Rows { let text = "SELECT n FROM video" }\n',
    "Cases/One/Mark.swift": "struct Mark { let list: List }\n", "Cases/Two/List.swift": "struct List {}\n",
    "Terminal/Command.swift": '/// "SELECT n FROM video" in a comment.\nstruct Command { let method = "DELETE" }\n'}


def run(root, manifest):
    """The lines that layers.py prints for a package, and its status."""
    file = root / "manifest.json"
    file.write_text(json.dumps(manifest))
    ended = subprocess.run(
        [sys.executable, ROOT / "scripts/layers.py", "--root", root, "--manifest", file], capture_output=True, text=True)
    return ended.stderr.splitlines(), ended.returncode


class SmallPackageTests(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.imports = {name: list(others) for name, others in IMPORTS.items()}
        self.paths, self.table, self.walk = {}, TABLE, "### Mark: 2 files\n\n- Cases/One/Mark.swift: the `Mark`\n- Cases/Two/List.swift: it\n"
        for path, text in FILES.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.root / "Sources" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def problems(self):
        for folder in ("scripts", "docs"):
            (self.root / folder).mkdir(exist_ok=True)
        (self.root / "scripts/layers.txt").write_text(self.table)
        floors = dict(re.findall(r"^module (\S+) (\w+)", TABLE, re.M))
        rows = "".join(f"| `{name}` | {floor} | what |\n" for name, floor in floors.items())
        (self.root / "docs/architecture.md").write_text(rows + self.walk)
        lines, status = run(self.root, {"targets": [
            {"name": name, "type": "regular", "path": self.paths.get(name), "dependencies": [{"byName": [other, None]} for other in others]}
            for name, others in self.imports.items()]})
        self.assertEqual(status != 0, bool(lines))
        return [line for line in lines[:-1]]

    def assertProblem(self, text, count=1):
        problems = self.problems()
        self.assertEqual(len(problems), count, problems)
        self.assertIn(text, problems[0])

    def test_a_package_that_keeps_the_rules_passes(self):
        self.assertEqual(self.problems(), [])

    def test_a_module_imports_no_higher_floor(self):
        self.imports["Tables"].append("Cases")
        self.assertProblem("Tables: imports Cases: Store must not see App")

    def test_the_terminal_and_the_hub_do_not_see_each_other(self):
        self.imports["Page"].append("Terminal")
        self.assertProblem("Page: imports Terminal: Hub must not see CLI")

    def test_a_dialect_imports_no_other(self):
        self.imports["OneDialect"].append("OtherDialect")
        self.table = TABLE.replace("OneDialect Hub Page", "OneDialect Hub Page OtherDialect", 1)
        self.assertProblem("OneDialect: contains OtherDialect")

    def test_a_module_of_its_own_floor_must_be_named(self):
        self.table = TABLE.replace("OneDialect Hub Page", "OneDialect Hub", 1)
        self.assertProblem("OneDialect: imports Page of its own floor")

    def test_a_program_links_nothing_that_it_must_not_have(self):
        self.imports["Terminal"].append("Page")
        self.table += "except import Terminal Page\n"
        self.assertProblem("program: links Page")

    def test_a_product_is_used_only_by_its_floors(self):
        self.imports["Cases"].append("Parser")
        self.assertProblem("Cases: uses Parser, which only CLI may")

    def test_a_new_target_needs_a_line(self):
        self.imports["New"] = []
        self.assertIn("New: not in layers.txt", self.problems()[0])

    def test_sql_stays_in_its_modules(self):
        for text in ('"SELECT n FROM video"', '"""\n  UPDATE video SET n = 1\n  """', '#"DELETE FROM video"#',
                     '"x\\(f("PRAGMA \\(name)"))"', '"COMMIT"'):
            with self.subTest(text):
                self.write("Cases/Two/List.swift", f"struct List {{ let text = {text} }}\n")
                self.assertProblem("Cases/Two/List.swift:1: SQL in a module that must contain none")

    def test_sql_files_stay_in_their_modules(self):
        self.write("Cases/Two/0001.sql", "SELECT 1;\n")
        self.assertProblem("0001.sql: SQL in a module")

    def test_failures_below_the_front_ends_have_no_texts(self):
        for text in ('.disk, "full"', '\n      .disk,\n      "full"', 'error.status, "full"', 'status, "full"',
                     'status: .disk, message: "full"', 'isFull ? .disk : .usage, "x"'):
            with self.subTest(text):
                self.write("Cases/Two/List.swift", f"struct List {{ let failure = Failure({text}) }}\n")
                self.assertProblem("Cases/Two/List.swift:1: a failure with a text")
        for path in ("Cases/Two/UserMessages+List.swift", "Cases/Two/List+Message.swift", "Values/Text.swift",
                     "Terminal/Text.swift"):
            self.write(path, 'let failure = Failure(.disk, "full")\n')
        self.write("Cases/Two/List.swift", 'struct List { let failure = Failure(ListError.full(path: path)) }\n')
        self.assertEqual(self.problems(), [])

    def test_no_module_looks_into_a_message(self):
        self.write("Terminal/Command.swift", 'let isFull = failure.message.hasPrefix("full")\n')
        self.assertProblem("Terminal/Command.swift:1: looks into a message")

    def test_folders_of_a_module_form_no_cycle(self):
        self.write("Cases/Two/List.swift", "struct List { func mark() -> Mark? { nil } }\n")
        self.assertProblem("the folders One, Two form a cycle: One → Two (List); Two → One (Mark)")

    def test_types_in_comments_and_literals_are_no_references(self):
        self.write("Cases/Two/List.swift", '// Mark\n/* Mark /* Mark */ Mark */ struct List { let text = "Mark \\"Mark" }\n')
        self.assertEqual(self.problems(), [])

    def test_folders_that_are_apart_do_not_use_each_other(self):
        self.write("Cases/Other/Entry.swift", "struct Entry { let mark: Mark }\n")
        self.assertProblem("Cases/Other: uses Mark of One")

    def test_sizes_have_limits(self):
        self.write("Values/Long.swift", "func long() {\n" + "  call()\n" * 39 + "}\n")
        self.assertProblem("Values/Long.swift:1: long has 41 lines; at most 40")
        self.write("Values/Long.swift", "\n" * 401)
        self.assertProblem("Values/Long.swift: 401 lines; at most 400")
        for number in range(18):
            self.write(f"Values/Long{number or ''}.swift", "\n" * 390)
        self.assertProblem("Values: 7021 lines of Swift; at most 7000")

    def test_modules_lie_in_the_folder_of_their_floor(self):
        self.paths = {"Values": "Sources/Store/Values"}
        self.assertProblem("Sources/Store/Values: belongs in Sources/Base")
        self.paths = {"Values": "Sources/Base/Values"}
        self.assertEqual(self.problems(), [])
        self.table += "placed\n"
        self.assertProblem("Sources/Tables: belongs in Sources/Store", len(IMPORTS) - 1)

    def test_exceptions_allow_what_they_say_and_no_more(self):
        self.write("Cases/Two/List.swift", 'struct List { let texts = ["SELECT 1", "SELECT 2"] }\n')
        self.table = TABLE + "except sql Cases List.swift 2\n"
        self.assertEqual(self.problems(), [])
        self.table = TABLE + "except sql Cases List.swift 1\n"
        self.assertProblem("List.swift:1: SQL in a module")

    def test_exceptions_shrink(self):
        self.write("Cases/Two/List.swift", 'struct List { let text = "SELECT 1" }\n')
        self.table = TABLE + "except sql Cases List.swift 2\n"
        self.assertProblem("“except sql Cases List.swift 2” is too large; lower it to 1")
        self.write("Cases/Two/List.swift", "struct List {}\n")
        self.assertProblem("“except sql Cases List.swift” is not needed any more; delete it")

    def test_walks_name_files_that_exist(self):
        self.walk = self.walk.replace("Two/List", "Two/Lists")
        self.assertProblem("Sources/Cases/Two/Lists.swift does not exist")

    def test_walks_state_their_number_of_files(self):
        self.walk = self.walk.replace("2 files", "3 files")
        self.assertProblem("the walk has 2 files, not 3")

    def test_walks_name_declarations_that_exist(self):
        self.walk = self.walk.replace("`Mark`", "`Bookmark`")
        self.assertProblem("Mark.swift contains no Bookmark")

    def test_modules_are_described_on_their_floor(self):
        self.table = TABLE.replace("module Values Base", "module Values Store")
        self.assertIn("Values is on the floor Store, not Base", "\n".join(self.problems()))


class ThisPackageTests(unittest.TestCase):
    """A violation planted in a copy of this package."""

    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(ROOT / "scripts"))
        import layers
        cls.manifest = layers.manifest_of(ROOT)
        cls.imports = {each["name"]: each for each in cls.manifest["targets"]}

    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for folder in ("Sources", "docs", "scripts"):
            shutil.copytree(ROOT / folder, self.root / folder)

    def folder(self, target):
        return self.root / (self.imports[target].get("path") or f"Sources/{target}")

    def planted(self, manifest=None):
        lines, status = run(self.root, manifest or self.manifest)
        self.assertEqual(status, 1)
        return "\n".join(lines)

    def test_it_passes_as_it_is(self):
        self.assertEqual(run(self.root, self.manifest), ([], 0))

    def test_it_fails_with_a_wrong_import(self):
        manifest = json.loads(json.dumps(self.manifest))
        target = next(each for each in manifest["targets"] if each["name"] == "FeedParser")
        target["dependencies"].append({"byName": ["Library", None]})
        self.assertIn("FeedParser: imports Library: Formats must not see Store", self.planted(manifest))

    def test_it_fails_with_sql_outside_its_modules(self):
        (self.folder("Exporters") / "Planted.swift").write_text('let planted = "SELECT n FROM video"\n')
        self.assertIn("Planted.swift:1: SQL in a module that must contain none", self.planted())

    def test_it_fails_with_a_text_in_a_failure_below_the_front_ends(self):
        (self.folder("Sync") / "Planted.swift").write_text('let planted = Failure(.disk, "no room")\n')
        self.assertIn("Planted.swift:1: a failure with a text", self.planted())

    def test_it_fails_with_a_cycle_of_folders(self):
        for one, two in (("PlantedOne", "PlantedTwo"), ("PlantedTwo", "PlantedOne")):
            folder = self.folder("Core") / one
            folder.mkdir()
            (folder / f"{one}.swift").write_text(f"struct {one} {{ let other: [{two}] }}\n")
        self.assertIn("the folders PlantedOne, PlantedTwo form a cycle", self.planted())


class SourceTests(unittest.TestCase):
    """What is read of Swift."""

    def functions(self, text):
        return [(name, lines) for name, _, lines in Source(text).functions()]

    def test_lengths_of_functions(self):
        text = (
            "struct A {\n  func one(_ body: () -> Void = { print() }) -> [Int] {\n    { 1 }()\n  }\n"
            "  init?<T>(_ t: T) where T: B {\n  }\n  subscript(i: Int) -> Int { i }\n  var two: Int {\n    2\n  }\n"
            "  let three = A.init(x)\n  static func < (l: A, r: A) -> Bool { true }\n  deinit {}\n}\n"
            "protocol B {\n  func four()\n  init(x: Int)\n  var five: Int { get }\n}\n")
        self.assertEqual(self.functions(text), [
            ("one", 3), ("init", 2), ("subscript", 1), ("two", 3), ("<", 1), ("deinit", 1), ("five", 1)])

    def test_literals(self):
        text = 'let a = "x\\"\\(f("y", g("z")) + ")")w"\nlet b = #"p\\(q"\\#(r)"#\nlet c = """\n  s " t\n  """\n'
        source = Source(text)
        self.assertEqual(sorted(each[1].strip() for each in source.literals), sorted(
            ['x\\"w', "y", "z", ")", 'p\\(q"', 's " t']))
        self.assertEqual(source.code.count("\n"), text.count("\n"))
        self.assertIn("g(", source.code)
        self.assertNotIn("z", source.code)

    def test_a_quotation_mark_in_a_regex_literal_opens_no_string(self):
        source = Source('let a = t.matches(of: /b "?(\\w+)/).map { $0 / 2 }\nlet c = d / e\nfunc f() {}\n')
        self.assertEqual(source.literals, [])
        self.assertIn("let c = d / e\nfunc f() {}", source.code)


if __name__ == "__main__":
    unittest.main()
