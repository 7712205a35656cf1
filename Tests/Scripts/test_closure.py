"""scripts/closure.py: the names of the libraries that it looks for are those that the sources load."""
import importlib.util, pathlib, re, unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SONAME = re.compile(r'"(lib[\w+-]+\.so\.[\d.]+)"')


def closure():
    spec = importlib.util.spec_from_file_location("closure", ROOT / "scripts" / "closure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class LoadedLibraries(unittest.TestCase):
    def test_every_library_that_the_sources_load_is_in_the_closure(self):
        known = {name for choice in closure().LOADED for name in choice}
        loaded = {
            name
            for source in sorted((ROOT / "Sources" / "C").rglob("*.[ch]"))
            if "dlopen" in (text := source.read_text())
            for name in SONAME.findall(text)
        }
        self.assertGreaterEqual(len(loaded), 5)
        self.assertEqual(loaded - known, set())
        self.assertEqual(known - loaded, {"libgcc_s.so.1"})


if __name__ == "__main__":
    unittest.main()
