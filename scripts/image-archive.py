#!/usr/bin/env python3
"""image-archive.py FROM TO SECONDS: writes a docker-archive anew, so that equal images give equal bytes, and packs it with gzip.

buildah puts the random name of its working container into the image's configuration, as `Hostname` and `container`, and so
into its ID: two builds of the same files differed in nothing else. Both members mean nothing to a runtime and are removed. The
archive has what `docker load` and `podman load` read: manifest.json, the configuration and the layers, each named by its SHA-256.
"""
import gzip, hashlib, io, json, sys, tarfile


def main(source, target, seconds):
    with tarfile.open(source) as old:
        manifest = json.load(old.extractfile("manifest.json"))[0]
        config = json.load(old.extractfile(manifest["Config"]))
        config.pop("container", None)
        for part in ("config", "container_config"):
            config.get(part, {}).pop("Hostname", None)
        text = json.dumps(config, separators=(",", ":"), sort_keys=True).encode()
        manifest["Config"] = hashlib.sha256(text).hexdigest() + ".json"
        index = json.dumps([manifest], separators=(",", ":"), sort_keys=True).encode()
        with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
            with tarfile.open(fileobj=packed, mode="w|", format=tarfile.GNU_FORMAT) as new:
                for layer in manifest["Layers"]:
                    add(new, layer, old.extractfile(layer), old.getmember(layer).size, seconds)
                add(new, manifest["Config"], io.BytesIO(text), len(text), seconds)
                add(new, "manifest.json", io.BytesIO(index), len(index), seconds)


def add(archive, name, file, size, seconds):
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = size, seconds, 0o644
    archive.addfile(member, file)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
