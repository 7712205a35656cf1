"""Tests of scripts/notices.py and scripts/documents.py, and of the maintainer scripts in scripts/deb."""
import pathlib, re, subprocess, sys, tempfile, unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import documents, notices

APACHE = "Apache License\n\n1. Definitions.\n\nAPPENDIX: How to apply\n"
EXCEPTION = "## Runtime Library Exception to the Apache 2.0 License: ##\n\nAs an exception"


class NoticesTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.checkouts = self.root / ".build" / "checkouts"
        for name, value in (("ROOT", self.root), ("CHECKOUTS", self.checkouts)):
            patch = mock.patch.object(notices, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def links(self, *modules, build="release"):
        lines = [f"/b/{module}.build/a.swift.o\n" for module in modules]
        self.write(f".build/{build}/hub.product/Objects.LinkFileList", "".join(lines))

    def test_only_packages_of_linked_modules_are_named(self):
        self.write(".build/checkouts/swift-a/Sources/Used/a.swift", "")
        self.write(".build/checkouts/swift-b/Sources/Unused/b.swift", "")
        self.links("Used", "Own")
        self.assertEqual(list(notices.linked(["hub"], ["swift-a", "swift-b"], {"Own"})), ["swift-a"])

    def test_the_debug_build_serves_without_a_release(self):
        self.links("Used", build="debug")
        self.assertEqual(notices.modules("hub"), {"Used"})

    def test_a_module_of_no_package_fails(self):
        self.links("Unknown")
        with self.assertRaisesRegex(SystemExit, "Unknown"):
            notices.linked(["hub"], [], set())

    def test_a_program_that_was_not_built_fails(self):
        with self.assertRaisesRegex(SystemExit, "build it first"):
            notices.modules("hub")

    def test_apache_with_the_exception_is_recognised(self):
        self.assertEqual(notices.split_licence(APACHE, APACHE), "")
        self.assertEqual(notices.split_licence(f"{APACHE}\n{EXCEPTION}", APACHE), EXCEPTION)
        self.assertIsNone(notices.split_licence("MIT License", APACHE))

    def test_licences_within_linked_sources_are_found_once(self):
        comment = "/* Copyright X\n * Permission is hereby granted */\n"
        self.write(".build/checkouts/p/NOTICE.txt", "Notice of p")
        for name in "ab":
            self.write(f".build/checkouts/p/Sources/C/{name}.c", comment)
        self.write(".build/checkouts/p/Sources/C/LICENSE", "MIT of C")
        self.write(".build/checkouts/p/Sources/Other/LICENSE", "not linked")
        found = list(notices.notices("p", [self.checkouts / "p" / "Sources" / "C"]))
        self.assertEqual(found, ["Notice of p", "C:\n\nMIT of C", f"a.c:\n\n{comment.strip()}"])


class DocumentsTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.installed = pathlib.Path(self.folder.name)

    def test_links_of_installed_documents_lead_to_installed_files(self):
        for program in "metube-rss", "metube-hub":
            documents.install(program, self.installed / program)
        examples = self.installed / "metube-hub" / "examples"
        examples.mkdir()
        for each in (ROOT / "docs" / "examples").iterdir():
            (examples / each.name).touch()
        pages = list(self.installed.rglob("*.md"))
        self.assertGreater(len(pages), 5)
        dead = [
            f"{page}: {match['path']}" for page in pages for match in documents.LINK.finditer(page.read_text())
            if not (page.parent / match["path"]).exists()]
        self.assertEqual(dead, [])

    def test_removal_leaves_what_was_not_installed(self):
        documents.install("metube-hub", self.installed)
        (self.installed / "mine.txt").touch()
        documents.remove(self.installed)
        self.assertEqual([each.name for each in self.installed.rglob("*")], ["mine.txt"])


class MaintainerScriptTests(unittest.TestCase):
    def test_each_placeholder_is_one_of_deb_sh(self):
        packer = (ROOT / "scripts" / "deb.sh").read_text()
        for name in "postinst", "prerm", "postrm":
            for word in set(re.findall(r"@[A-Z]+@", (ROOT / "scripts" / "deb" / name).read_text())):
                self.assertIn(word, packer, name)

    def test_they_are_valid_for_a_plain_shell(self):
        for path in (ROOT / "scripts" / "deb").glob("[!o]*"):
            self.assertEqual(subprocess.run(["sh", "-n", path], capture_output=True).returncode, 0, path.name)


class SourceDateTests(unittest.TestCase):
    def test_the_variable_comes_first(self):
        script = ROOT / "scripts" / "source-date.sh"
        given = subprocess.run([script], env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "12"}, capture_output=True, text=True)
        self.assertEqual(given.stdout, "12\n")
        self.assertRegex(subprocess.run([script], capture_output=True, text=True).stdout, r"^\d{10}\n$")


if __name__ == "__main__":
    unittest.main()
