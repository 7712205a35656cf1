#!/usr/bin/env python3
"""closure.py LAYOUT PROGRAM… --into FOLDER [--manifest FILE]: what programs need of the system at run time, as a folder.

Collects the shared libraries that PROGRAMs are linked with and those they load on first use, with all that these need, the
certificates of authorities, time zones and descriptions of terminals: from this machine's Debian packages, nothing that was
added to the machine by hand. Each file of a package comes with the package's copyright file.

LAYOUT `image`: FOLDER becomes a root file system for a container, with a user of its own (65532).
LAYOUT `archive`: FOLDER gets lib/ (the libraries), lib/libc/ (the C library and its dynamic linker) and share/.
The C library finds its locale, C.UTF-8, on the system.

Of ICU's data the tables of character sets are kept (scripts/icu-converters.sh), which is all that libxml2 uses.

The manifest is JSON: `glibc`, the oldest glibc that all but its own files need (`2.36`); `packages`, each with `name`,
`version`, `source`, `architecture` and `bytes`; `files`, each with `path`, `package`, `bytes` and, if it is not as in the package, what was `changed`.
"""
import argparse, json, os, re, shutil, subprocess, sys, tempfile

# Loaded with dlopen on first use; of each line the first that the machine has. Tests/Scripts/test_closure.py compares them
# with the sources. The last is loaded by glibc itself, to end a thread.
LOADED = [
    ["libcurl.so.4"],
    ["libxml2.so.2", "libxml2.so.16"],
    ["libarchive.so.13"],
    ["libpq.so.5"],
    ["libncursesw.so.6"],
    ["libgcc_s.so.1"],
]
# Of glibc: they belong to one dynamic linker, and must not be mixed with another's.
GLIBC = {"libc6", "libc6-i386"}
USER = 65532
HERE = os.path.dirname(os.path.abspath(__file__))


def output(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def fail(message):
    sys.exit(f"closure: {message}")


def linked(path):
    """Paths of the libraries that the dynamic linker would load for a file, and of the linker itself."""
    found = []
    for line in output("ldd", path).splitlines():
        if "not found" in line:
            fail(f"{path} needs {line.split()[0]}, which this machine does not have")
        if match := re.search(r"(/\S+) \(0x", line):
            found.append(match[1])
    return found


def search_path():
    """Paths of the libraries that dlopen would find by name."""
    machine = os.uname().machine.replace("_", "-")
    return {
        name: path
        for line in reversed(output("ldconfig", "-p", env={**os.environ, "PATH": os.environ["PATH"] + ":/sbin:/usr/sbin"}).splitlines())
        if (match := re.match(r"\s+(\S+) \(libc6,(\S+)\) => (\S+)", line)) and match[2].startswith(machine.replace("aarch64", "AArch64"))
        for name, path in [(match[1], match[3])]
    }


def libraries(programs):
    """File name to path of every library that the programs can need."""
    names = search_path()
    roots = list(programs)
    for choice in LOADED:
        found = next((names[name] for name in choice if name in names), None)
        roots.append(found or fail(f"this machine has no {' or '.join(choice)}; run make setup"))
    paths = [path for root in roots for path in linked(root)] + roots[len(programs):]
    return {os.path.basename(path): path for path in paths}


def owners(paths):
    """The packages that files belong to, by path."""
    # With /lib linked to /usr/lib, packages and the linker may name a file differently.
    forms = {path: {path, os.path.realpath(path)} for path in paths}
    for each in forms.values():
        each |= {form.removeprefix("/usr") for form in each} | {"/usr" + form for form in each}
    result = subprocess.run(
        ["dpkg-query", "--search", *sorted(set().union(*forms.values()))], capture_output=True, text=True)
    found = {}
    for line in result.stdout.splitlines():
        if not line.startswith("diversion"):
            package, path = line.split(": ", 1)
            found[path] = package.split(",")[0].split(":")[0]
    return {
        path: next((found[form] for form in each if form in found), None) or fail(f"{path} belongs to no Debian package")
        for path, each in forms.items()
    }


def package_files(package, prefix):
    """The files of a package below a folder, as the package has them."""
    lines = output("dpkg-query", "--listfiles", package).splitlines()
    files = [line for line in lines if line.startswith(prefix) and os.path.exists(line) and not os.path.isdir(line)]
    return sorted(files) or fail(f"the package {package} has no files in {prefix} on this machine; reinstall it")


class Folder:
    """The folder under construction, and what lies in it."""

    def __init__(self, path):
        self.path, self.files = path, []

    def add(self, source, target, package, mode=0o644):
        """Copies a file, without following where it is linked to."""
        to = os.path.join(self.path, target)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copyfile(source, to)
        os.chmod(to, mode)
        self.files.append({"path": target, "package": package, "bytes": os.path.getsize(to)})

    def write(self, target, text):
        to = os.path.join(self.path, target)
        os.makedirs(os.path.dirname(to) or ".", exist_ok=True)
        with open(to, "w") as file:
            file.write(text)
        os.chmod(to, 0o644)
        self.files.append({"path": target, "package": None, "bytes": len(text)})

    def folder(self, target, mode=0o755):
        to = os.path.join(self.path, target)
        os.makedirs(to, exist_ok=True)
        os.chmod(to, mode)


def add_libraries(folder, found, place):
    packages = owners(found.values())
    for name, path in sorted(found.items()):
        target = place(name, packages[path])
        if name.startswith("libicudata.") and shutil.which("icupkg", path=os.environ["PATH"] + ":/usr/sbin"):
            with tempfile.TemporaryDirectory() as work:
                output(os.path.join(HERE, "icu-converters.sh"), path, f"{work}/{name}")
                folder.add(f"{work}/{name}", target, packages[path], 0o755)
            folder.files[-1]["changed"] = "the tables of character sets only"
        else:
            folder.add(path, target, packages[path], 0o755)


def add_certificates(folder, bundle, hashes):
    """The authorities of the package ca-certificates, in one file and, for libcurl with OpenSSL, one file each by hash."""
    package = "ca-certificates"
    sources = package_files(package, "/usr/share/ca-certificates/")
    with tempfile.TemporaryDirectory() as work:
        whole = os.path.join(work, "bundle")
        with open(whole, "w") as file:
            for source in sources:
                with open(source) as each:
                    file.write(each.read().rstrip("\n") + "\n")
        folder.add(whole, bundle, package)
        if not hashes:
            return
        for index, source in enumerate(sources):
            shutil.copyfile(source, f"{work}/{index:04}.pem")
        output("openssl", "rehash", work)
        for name in sorted(name for name in os.listdir(work) if os.path.islink(f"{work}/{name}")):
            folder.add(f"{work}/{name}", f"{hashes}/{name}", package)


def add_tree(folder, package, prefix, target, without=()):
    """The files of a package below a folder; hard and symbolic links become files."""
    for path in package_files(package, prefix):
        name = path.removeprefix(prefix)
        if not name.startswith(without):
            folder.add(path, f"{target}/{name}", package)


def add_data(folder, certificates, hashes, zones, terminals):
    add_certificates(folder, certificates, hashes)
    add_tree(folder, "tzdata", "/usr/share/zoneinfo/", zones, ("posix/", "right/", "leap", "localtime"))
    prefix = next(prefix for prefix in ("/usr/share/terminfo/", "/lib/terminfo/") if os.path.exists(f"{prefix}x/xterm"))
    add_tree(folder, "ncurses-base", prefix, terminals)


def add_copyrights(folder, place):
    for package in sorted({file["package"] for file in folder.files if file["package"]}):
        source = f"/usr/share/doc/{package}/copyright"
        if not os.path.exists(source):
            fail(f"there is no {source}; without it the package's files must not be passed on")
        folder.add(source, f"{place}/{package}/copyright", package)


def image(folder, found):
    triplet = output("dpkg-architecture", "-q", "DEB_HOST_MULTIARCH").strip()

    def place(name, package):
        # The path of the dynamic linker is written into every program.
        return found[name].lstrip("/") if name.startswith("ld-linux") else f"usr/lib/{triplet}/{name}"

    add_libraries(folder, found, place)
    add_data(folder, "etc/ssl/certs/ca-certificates.crt", "etc/ssl/certs", "usr/share/zoneinfo", "usr/share/terminfo")
    # The one locale, by which names in archives are read and a full screen is drawn.
    add_tree(folder, owners(["/usr/lib/locale/C.utf8/LC_CTYPE"]).popitem()[1], "/usr/lib/locale/C.utf8/", "usr/lib/locale/C.utf8")
    add_copyrights(folder, "usr/share/doc")
    folder.write("etc/passwd", f"root:x:0:0:root:/:/nologin\nmetube-rss:x:{USER}:{USER}:metube-rss:/data:/nologin\n")
    folder.write("etc/group", f"root:x:0:\nmetube-rss:x:{USER}:\n")
    folder.write("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n")
    folder.folder("tmp", 0o1777)
    folder.folder("data", 0o700)


def archive(folder, found):
    def place(name, package):
        return f"lib/libc/{name}" if package in GLIBC else f"lib/{name}"

    add_libraries(folder, found, place)
    add_data(folder, "share/metube-rss/ca-certificates.crt", None, "share/zoneinfo", "share/terminfo")
    add_copyrights(folder, "share/doc")


def needed_glibc(paths):
    """The newest symbol version of glibc that files need, `2.36`."""
    text = output("readelf", "--wide", "--version-info", *paths)
    versions = {tuple(map(int, each.split("."))) for each in re.findall(r"Name: GLIBC_([0-9.]+)", text)}
    return ".".join(map(str, max(versions)[:2]))


def packages(folder):
    format = "${binary:Package}\t${Version}\t${source:Package}\t${source:Version}\t${Architecture}\n"
    names = sorted({file["package"] for file in folder.files if file["package"]})
    described = []
    lines = output("dpkg-query", "--show", f"--showformat={format}", *names).splitlines()
    fields = {fields[0].split(":")[0]: fields for fields in (line.split("\t") for line in lines)}
    for name in names:
        _, version, source, source_version, architecture = fields[name]
        bytes = sum(file["bytes"] for file in folder.files if file["package"] == name)
        described.append({
            "name": name, "version": version, "source": source, "sourceVersion": source_version,
            "architecture": architecture, "bytes": bytes,
        })
    return described


def main():
    parser = argparse.ArgumentParser(description="collects what programs need of the system at run time")
    parser.add_argument("layout", choices=["image", "archive"])
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--into", required=True, metavar="FOLDER", help="an empty folder, or none yet")
    parser.add_argument("--manifest", metavar="FILE")
    options = parser.parse_args()
    for tool, package in [("dpkg-query", "dpkg"), ("readelf", "binutils"), ("openssl", "openssl"), ("dpkg-architecture", "dpkg-dev")]:
        if not shutil.which(tool):
            fail(f"{tool} is missing; install {package}. A closure is made from the packages of Debian or Ubuntu")
    os.umask(0o022)
    found = libraries(options.programs)
    folder = Folder(options.into)
    {"image": image, "archive": archive}[options.layout](folder, found)
    others = [path for path, package in owners(found.values()).items() if package not in GLIBC]
    manifest = {"glibc": needed_glibc(options.programs + others), "packages": packages(folder), "files": folder.files}
    if options.manifest:
        with open(options.manifest, "w") as file:
            json.dump(manifest, file, indent=1, sort_keys=True)
            file.write("\n")
    print(f"{len(folder.files)} files of {len(manifest['packages'])} packages, {sum(f['bytes'] for f in folder.files)} bytes; glibc {manifest['glibc']}")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        fail(f"{' '.join(error.cmd[:4])}: {error.stderr.strip()}")
