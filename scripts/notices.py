#!/usr/bin/env python3
"""notices.py PROGRAM… [--common-licenses]: writes the licences and notices of everything linked into the programs.

The linker's lists of object files (.build/release/PROGRAM.product/Objects.LinkFileList; those of the debug build if there was
no release build here) name the modules, .build/checkouts has their packages, and the Swift toolchain its own licence.
The licence Apache-2.0 is printed once, whole; with --common-licenses, for Debian packages, as the path of Debian's copy.
The output depends on Package.resolved, the checkouts and the toolchain only.
"""
import argparse, json, os, pathlib, re, shutil, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHECKOUTS = ROOT / ".build" / "checkouts"
COMMON = "/usr/share/common-licenses/Apache-2.0"
RULE = "-" * 79
# Modules whose folder has another name.
FOLDERS = {"SystemPackage": "System"}
# In comments at the head of C sources of other origin: BSD, MIT.
TERMS = re.compile(r"Redistribution and use|Permission is hereby granted")
EXCEPTION = re.compile(r"^## Runtime Library Exception.*", re.S | re.M)
SWIFT = """\
Parts of it are in every program that Swift builds with its runtime linked statically: the standard library, the
concurrency runtime, libdispatch, BlocksRuntime and FoundationEssentials with _FoundationCollections."""
GCC = """\
libstdc++, which the Swift runtime uses, is linked statically. It is part of GCC and under the GNU General Public License,
version 3 or later, with the GCC Runtime Library Exception, version 3.1, which lets programs that contain it have terms of
their own: https://www.gnu.org/licenses/gcc-exception-3.1.html"""
HEAD = """\
Licences and notices of the software that {programs} contain{s}

{programs} link{s} the following statically. Libraries of the system that are loaded at run time are not listed."""


def fail(text):
    sys.exit(f"notices: {text}")


def modules(program):
    """The names of the modules in the program."""
    for build in "release", "debug":
        path = ROOT / ".build" / build / f"{program}.product" / "Objects.LinkFileList"
        if path.exists():
            return set(re.findall(r"/([^/\s]+)\.build/", path.read_text()))
    fail(f"there is no list of what {program} was linked from: build it first (make build hub)")


def folder(module, sources):
    """The folder of a module in the sources of a package, or None."""
    return next((each for name in (module, FOLDERS.get(module, module)) if (each := sources / name).is_dir()), None)


def linked(programs, identities, own):
    """The packages in the programs, with the folders of their linked modules."""
    found = {}
    for module in sorted(set().union(*map(modules, programs))):
        places = [(each, where) for each in identities if (where := folder(module, CHECKOUTS / each / "Sources"))]
        if not places and module not in own:
            fail(f"no package in .build/checkouts has the module {module}; add its folder to FOLDERS")
        # All of them, where two packages have a module of one name.
        for identity, where in places:
            found.setdefault(identity, []).append(where)
    return found


def own_modules():
    """The names of our modules, as folders or as the compiler writes them."""
    return {name.replace("-", "_") for base, folders, _ in os.walk(ROOT / "Sources") for name in folders}


def words(text):
    return " ".join(text.split())


def text_of(path):
    return path.read_text(errors="replace").strip("\n")


def split_licence(text, apache):
    """What a licence says besides Apache-2.0, or None if it is another licence."""
    exception = EXCEPTION.search(text)
    rest = exception.group().strip() if exception else ""
    main = words(text[: exception.start()] if exception else text)
    # Some leave out the appendix, or fill in its copyright line.
    body = lambda each: each.split("APPENDIX:")[0]
    return rest if body(main) == body(words(apache)) else None


def notices(identity, folders):
    """NOTICE files of a package, the licences in its linked modules, and those at the head of C sources."""
    for path in sorted((CHECKOUTS / identity).glob("NOTICE*")):
        yield text_of(path)
    seen = set()
    for path in sorted(each for where in folders for each in where.rglob("*") if each.is_file()):
        if re.match(r"LICEN[SC]E|COPYING|NOTICE", path.name):
            yield f"{path.parent.name}:\n\n{text_of(path)}"
        elif path.suffix in (".c", ".h"):
            for comment in re.findall(r"/\*.*?\*/", path.read_text(errors="replace")[:6000], re.S):
                if TERMS.search(comment) and words(comment) not in seen:
                    seen.add(words(comment))
                    yield f"{path.name}:\n\n{comment}"


def swift_licence():
    compiler = shutil.which("swift") or fail("swift is not in PATH, whose licence belongs to the notices")
    path = pathlib.Path(os.path.realpath(compiler)).parent.parent / "share" / "swift" / "LICENSE.txt"
    return text_of(path) if path.exists() else fail(f"the toolchain has no {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--common-licenses", action="store_true", help="name Debian's copy of Apache-2.0")
    options = parser.parse_args()
    pins = {each["identity"]: each for each in json.loads((ROOT / "Package.resolved").read_text())["pins"]}
    packages = linked(options.programs, sorted(pins), own_modules())
    swift = swift_licence()
    exception = EXCEPTION.search(swift)
    apache = swift[: exception.start()].strip("\n")

    names = " and ".join(options.programs)
    s = "s" if len(options.programs) == 1 else ""
    parts = [HEAD.format(programs=names, s=s)]
    licence_of_apache = "Apache License 2.0, below"
    parts.append(f"Swift (https://www.swift.org)\n\n{licence_of_apache}, with this exception:\n\n"
                 f"{exception.group().strip()}\n\n{SWIFT}\n\n{GCC}")
    for identity in sorted(packages):
        pin = pins[identity]
        version = pin["state"].get("version") or pin["state"]["revision"]
        files = sorted((CHECKOUTS / identity).glob("LICEN[SC]E*")) or fail(f"{identity} has no licence file")
        licences = []
        for text in map(text_of, files):
            rest = split_licence(text, apache)
            licences.append(text if rest is None else
                            licence_of_apache + (", with Swift's Runtime Library Exception, above" if rest else ""))
        title = f"{identity} {version} ({pin['location']})"
        parts.append("\n\n".join([title, *licences, *notices(identity, packages[identity])]))
    if options.common_licenses:
        parts.append(f"Apache License 2.0\n\nOn Debian systems its text is in {COMMON}.")
    else:
        parts.append(apache)
    print(f"\n\n{RULE}\n\n".join(parts))


if __name__ == "__main__":
    main()
