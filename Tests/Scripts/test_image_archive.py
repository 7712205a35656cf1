"""scripts/image-archive.py: equal images give equal bytes, and what a container runtime needs stays."""
import gzip, hashlib, io, json, pathlib, subprocess, sys, tarfile, tempfile, unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "image-archive.py"
LAYER = b"a layer" * 1000
HEALTHCHECK = {"Test": ["CMD", "/usr/bin/metube-hub", "status"]}


def docker_archive(path, host):
    """An archive as buildah writes it, with the random name of its working container."""
    part = {"Hostname": host, "User": "65532:65532", "Healthcheck": HEALTHCHECK}
    config = json.dumps({"container": host * 2, "config": part, "container_config": part}).encode()
    name = hashlib.sha256(config).hexdigest() + ".json"
    layer = hashlib.sha256(LAYER).hexdigest() + ".tar"
    manifest = json.dumps([{"Config": name, "RepoTags": ["metube-rss:1"], "Layers": [layer]}]).encode()
    with tarfile.open(path, "w") as archive:
        for each, text in ((layer, LAYER), (name, config), (f"{host}/VERSION", b"1.0"), ("manifest.json", manifest)):
            member = tarfile.TarInfo(each)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))


class ImageArchive(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def rewritten(self, host):
        source, target = (pathlib.Path(self.folder.name) / f"{host}.{end}" for end in ("tar", "tar.gz"))
        docker_archive(source, host)
        subprocess.run([sys.executable, SCRIPT, source, target, "1700000000"], check=True)
        return target.read_bytes()

    def test_two_builds_of_one_image_are_the_same_bytes(self):
        self.assertEqual(self.rewritten("8216ef1d21e3"), self.rewritten("d27a7aec3efa"))

    def test_names_are_the_sums_of_what_they_name(self):
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(self.rewritten("8216ef1d21e3")))) as archive:
            manifest = json.load(archive.extractfile("manifest.json"))[0]
            for name in [manifest["Config"], *manifest["Layers"]]:
                self.assertEqual(hashlib.sha256(archive.extractfile(name).read()).hexdigest(), name.split(".")[0])
            config = json.load(archive.extractfile(manifest["Config"]))
            self.assertEqual(config["config"], {"User": "65532:65532", "Healthcheck": HEALTHCHECK})
            self.assertEqual(manifest["RepoTags"], ["metube-rss:1"])
            self.assertEqual({member.mtime for member in archive}, {1700000000})


if __name__ == "__main__":
    unittest.main()
