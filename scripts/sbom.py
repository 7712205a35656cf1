#!/usr/bin/env python3
"""sbom.py MANIFEST…: prints the bill of materials of a release, CycloneDX 1.6 in JSON.

It lists what is linked into the programs (the packages of Package.resolved, the Swift runtime, libstdc++) and, from the manifests
of scripts/closure.py, the Debian packages whose files are in the image and the archive. Debian packages of the programs have
none of these files. The same inputs give the same bytes; times are the commit's.
"""
import json, os, pathlib, re, subprocess, sys, uuid
from datetime import datetime, timezone
from urllib.parse import quote

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOME = "https://github.com/metube-rss/metube-rss"
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, HOME)


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def linked(identities):
    """Those packages that are in the programs, as the notices say it too; without scripts/notices.py all."""
    try:
        import notices
    except ImportError:
        return identities
    return notices.linked(["metube-rss", "metube-hub"], identities, notices.own_modules())


def swift_packages():
    """One component for each package of Package.resolved that is linked into a program; others are of tests and plugins."""
    with open(ROOT / "Package.resolved") as file:
        pins = json.load(file)["pins"]
    kept = linked([pin["identity"] for pin in pins])
    for pin in sorted((pin for pin in pins if pin["identity"] in kept), key=lambda pin: pin["identity"]):
        location = pin["location"].removesuffix(".git")
        place = location.removeprefix("https://")
        version = pin["state"].get("version") or pin["state"]["revision"]
        yield {
            "type": "library",
            "bom-ref": f"swift:{pin['identity']}",
            "name": pin["identity"],
            "version": version,
            "purl": f"pkg:swift/{place}@{version}",
            "externalReferences": [{"type": "vcs", "url": f"{location}", "comment": f"commit {pin['state']['revision']}"}],
            "properties": [{"name": "metube:linked", "value": "static"}],
        }


def toolchain():
    """The parts of the toolchain that are linked statically."""
    version = re.search(r"Swift version ([0-9.]+)", output("swift", "--version"))[1]
    yield {
        "type": "library", "bom-ref": "swift-runtime", "name": "swift-runtime", "version": version,
        "description": "Standard library, concurrency, libdispatch and FoundationEssentials of the Swift toolchain",
        "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}],
        "purl": f"pkg:swift/github.com/swiftlang/swift@{version}",
        "properties": [{"name": "metube:linked", "value": "static"}],
    }
    archive = os.path.realpath(ROOT / ".build" / "static" / "libstdc++.a")
    if not os.path.exists(archive):
        archive = os.path.realpath(output("clang", "-print-file-name=libstdc++.a"))
    found = subprocess.run(["dpkg-query", "--search", archive], capture_output=True, text=True).stdout
    if found:
        package = found.split(":")[0]
        version = output("dpkg-query", "--show", "--showformat=${Version}", package)
        yield {
            "type": "library", "bom-ref": "libstdc++", "name": "libstdc++", "version": version,
            "licenses": [{"expression": "GPL-3.0-or-later WITH GCC-exception-3.1"}],
            "purl": debian(package, version, output("dpkg", "--print-architecture")),
            "properties": [{"name": "metube:linked", "value": "static"}],
        }


def distribution():
    """ID and version of the build machine's distribution: `debian`, `12`."""
    with open("/etc/os-release") as file:
        fields = dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
    return fields["ID"].strip('"'), fields.get("VERSION_ID", "").strip('"')


def debian(name, version, architecture):
    vendor, release = distribution()
    return f"pkg:deb/{vendor}/{quote(name, safe='.-_+')}@{quote(version, safe='.-_~')}?arch={architecture}&distro={vendor}-{release}"


def debian_packages(manifests):
    """One component for each package with files in the image or the archive."""
    found, changed = {}, {}
    for manifest in manifests:
        for package in manifest["packages"]:
            found[package["name"]] = package
        for file in manifest["files"]:
            if "changed" in file:
                changed[file["package"]] = f"{os.path.basename(file['path'])}: {file['changed']}"
    for name, package in sorted(found.items()):
        properties = [
            {"name": "metube:linked", "value": "dynamic; in the image and the archive"},
            {"name": "metube:source", "value": f"{package['source']} {package['sourceVersion']}"},
        ]
        if name in changed:
            properties.append({"name": "metube:changed", "value": changed[name]})
        yield {
            "type": "library", "bom-ref": f"deb:{name}", "name": name, "version": package["version"],
            "purl": debian(name, package["version"], package["architecture"]), "properties": properties,
        }


def main(paths):
    manifests = [json.loads(pathlib.Path(path).read_text()) for path in paths]
    version = output("scripts/version.sh")
    seconds = int(output("scripts/source-date.sh"))
    components = [*swift_packages(), *toolchain(), *debian_packages(manifests)]
    root = {
        "type": "application", "bom-ref": "metube-rss", "name": "metube-rss", "version": version,
        "description": "metube-rss and metube-hub",
        "licenses": [{"license": {"id": "MIT"}}],
        "purl": f"pkg:github/metube-rss/metube-rss@{version}",
        "externalReferences": [{"type": "vcs", "url": HOME}],
    }
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": root,
        },
        "components": components,
        "dependencies": [
            {"ref": "metube-rss", "dependsOn": [component["bom-ref"] for component in components]},
            *({"ref": component["bom-ref"]} for component in components),
        ],
    }
    text = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(NAMESPACE, text)}"
    json.dump(document, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
