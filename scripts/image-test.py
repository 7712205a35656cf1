#!/usr/bin/env python3
"""Tests the image in .build/dist under runc, as Docker would run it with these options: --read-only --tmpfs /tmp
--cap-drop ALL --security-opt no-new-privileges -v FOLDER:/data, on loopback.

It serves, imports, polls a fixture server, answers HEALTHCHECK, stops on SIGTERM while idle and during a poll, and says what
to do about a folder of another owner; the commands of compose.yaml and compose.postgres.yaml run too, the latter on a
PostgreSQL server of its own (scripts/with-postgres.sh). Docker itself is not needed. Needs root; installs skopeo, umoci, runc
and python3-yaml from Debian if missing. The last line is `image-test: N failed`, or `image-test: skipped: …` with status 0
where the machine cannot run containers.
"""
import glob, gzip, importlib.util, json, os, shutil, subprocess, sys, tempfile, time, urllib.error, urllib.request, zipfile

from checks import Checks, free_port, wait

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
USER, PASSWORD = 65532, "correct horse battery staple"
MOST_BYTES = 45_000_000
# Of what an image without a shell and a package manager must not have.
UNWANTED = ("sh", "bash", "dash", "busybox", "apt", "apt-get", "dpkg", "perl", "python3", "curl", "wget", "openssl", "ldconfig")
checks = Checks("image-test")


def output(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


class Image:
    """The image, unpacked as a bundle for runc."""

    def __init__(self, archive, work):
        self.work, self.archive = work, os.path.join(work, "image.tar")
        self.bytes = os.path.getsize(archive)
        with gzip.open(archive) as packed, open(self.archive, "wb") as plain:
            shutil.copyfileobj(packed, plain)
        source = f"docker-archive:{self.archive}"
        self.config = json.loads(output("skopeo", "inspect", "--config", "--raw", source))["config"]
        output("skopeo", "copy", "--quiet", source, f"oci:{work}/oci:image")
        output("umoci", "unpack", "--image", f"{work}/oci:image", f"{work}/bundle")
        with open(f"{work}/bundle/config.json") as file:
            self.runtime = json.load(file)
        self.root = f"{work}/bundle/rootfs"

    def files(self):
        """Paths and states of all files, without following links."""
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)
                yield path.removeprefix(self.root), os.lstat(path)


class Container:
    """One container of the image; its output is in `log`."""

    count = 0

    def __init__(self, image, command=None, entrypoint=None, data=None, environment=None, mounts=(), stdin=b""):
        Container.count += 1
        self.name = f"image-test-{os.getpid()}-{Container.count}"
        self.bundle = os.path.join(image.work, self.name)
        os.makedirs(self.bundle)
        spec = json.loads(json.dumps(image.runtime))
        process = spec["process"]
        process["args"] = (entrypoint or image.config["Entrypoint"]) + (image.config["Cmd"] if command is None else command)
        process["terminal"] = False
        process["capabilities"] = {kind: [] for kind in ("bounding", "effective", "inheritable", "permitted", "ambient")}
        process["env"] += [f"{name}={value}" for name, value in (environment or {}).items()]
        process["noNewPrivileges"] = True
        spec["root"] = {"path": image.root, "readonly": True}
        spec["mounts"] = [mount for mount in spec["mounts"] if mount["destination"] not in ("/data", "/sys/fs/cgroup")]
        self.data = data or tempfile.mkdtemp(dir=image.work)
        if data is None:
            os.chown(self.data, USER, USER)
        spec["mounts"] += [
            {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "noexec", "mode=1777"]},
            {"destination": "/data", "type": "bind", "source": self.data, "options": ["bind", "rw", "nosuid", "nodev"]},
        ]
        spec["mounts"] += [
            {"destination": to, "type": "bind", "source": source, "options": ["bind", "ro"]} for source, to in mounts
        ]
        # The loopback of this machine, where the fixture server is; no service of systemd for cgroups.
        spec["linux"]["namespaces"] = [each for each in spec["linux"]["namespaces"] if each["type"] not in ("network", "cgroup")]
        spec["hostname"] = "image-test"
        with open(f"{self.bundle}/config.json", "w") as file:
            json.dump(spec, file)
        self.runc = ["runc", "--root", os.path.join(image.work, "runc")]
        self.log_path = f"{self.bundle}/log"
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [*self.runc, "run", "--bundle", self.bundle, self.name], stdin=subprocess.PIPE, stdout=log, stderr=log)
        self.process.stdin.write(stdin)
        self.process.stdin.close()

    @property
    def log(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()

    def execute(self, *words, stdin=b""):
        """Runs a command in the container, as `docker exec` does; its status and output."""
        result = subprocess.run(
            [*self.runc, "exec", self.name, *words], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.returncode, result.stdout.decode(errors="replace")

    def pid(self):
        return json.loads(output(*self.runc, "state", self.name))["pid"]

    def stop(self):
        """Sends SIGTERM as `docker stop` does, and returns the exit status and the seconds it took."""
        start = time.monotonic()
        subprocess.run([*self.runc, "kill", self.name, "TERM"], check=False, capture_output=True)
        return self.ended(), time.monotonic() - start

    def ended(self, seconds=30):
        """The exit status, once it has ended; a container that does not is killed, and the status is that."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            subprocess.run([*self.runc, "kill", self.name, "KILL"], check=False, capture_output=True)
            self.process.wait()
            return f"still running after {seconds} s"


def run(image, command, **options):
    """Runs a command in a container of its own, as `docker run --rm` does; its status and output."""
    container = Container(image, command, **options)
    return container.ended(60), container.log


def get(port, path, token=None, body=None):
    """The status and text of a response."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=body)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


def answers(port, status=200):
    return lambda: get(port, "/health")[0] == status


class FixtureServer:
    """The feeds of Fixtures on loopback."""

    def __init__(self, work, latency=0):
        file = os.path.join(work, f"port-{latency}")
        words = [".build/release/fixture-server", "Fixtures/feeds/channels", "--port-file", file, "--latency", str(latency)]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(lambda: os.path.exists(file) and os.path.getsize(file) > 0)
        with open(file) as text:
            self.url = f"http://127.0.0.1:{text.read().strip()}"

    def stop(self):
        self.process.terminate()
        self.process.wait()


def check_config(image):
    config = image.config
    checks.equal("the user is not root", config["User"], f"{USER}:{USER}")
    checks.equal("the command is metube-hub serve", config["Entrypoint"] + config["Cmd"], ["/usr/bin/metube-hub", "serve"])
    checks.equal("the health check is metube-hub status", config["Healthcheck"]["Test"], ["CMD", "/usr/bin/metube-hub", "status"])
    checks.equal("/data is a volume", list(config["Volumes"]), ["/data"])
    labels = {name.removeprefix("org.opencontainers.image."): value for name, value in config["Labels"].items()}
    version = output("scripts/version.sh").strip()
    checks.equal("the label of the version", labels["version"], version)
    checks.that("labels of commit, source, licence and time", all(labels.get(n) for n in ("revision", "source", "licenses", "created")))
    checks.that(f"at most {MOST_BYTES:,} bytes, gzip: {image.bytes:,}", image.bytes <= MOST_BYTES)


def check_files(image):
    paths = dict(image.files())
    found = [path for path in paths if os.path.basename(path) in UNWANTED]
    checks.equal("no shell, no package manager, no interpreter", found, [])
    checks.equal("programs", sorted(p for p in paths if p.startswith(("/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"))),
                 ["/usr/bin/metube-hub", "/usr/bin/metube-rss"])
    checks.equal("no file has special rights", [p for p, state in paths.items() if state.st_mode & 0o6000], [])
    checks.equal("no file is writable for all", [p for p, s in paths.items() if s.st_mode & 0o002 and not os.path.islink(image.root + p)], [])
    checks.that("sample feeds", "/usr/share/metube-rss/demo/feeds.opml" in paths)
    checks.that("licence", "/usr/share/doc/metube-rss/LICENSE" in paths)
    report_sizes(image, paths)
    state = os.stat(image.root + "/data")
    checks.equal("/data belongs to the user", (state.st_uid, state.st_gid), (USER, USER))


def report_sizes(image, paths):
    """Prints what the image consists of: bytes and files by package, the largest first."""
    with open(".build/image/closure.json") as file:
        packages = {"/" + each["path"]: each["package"] for each in json.load(file)["files"]}
    sizes = {}
    for path, state in paths.items():
        name = packages.get(path) or (path if path.startswith("/usr/bin/") else "others")
        bytes, files = sizes.get(name, (0, 0))
        sizes[name] = (bytes + state.st_size, files + 1)
    for name, (bytes, files) in sorted(sizes.items(), key=lambda each: -each[1][0])[:12]:
        print(f"      {bytes:>10,} bytes in {files:>3} files  {name}")
    total = sum(state.st_size for state in paths.values())
    print(f"      {total:>10,} bytes in {len(paths):>3} files  of {len(sizes)} packages and programs, {image.bytes:,} compressed")


def check_isolation(container):
    pid = container.pid()
    with open(f"/proc/{pid}/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    checks.equal("runs as the user", status["Uid"].split(), [str(USER)] * 4)
    checks.equal("has no capabilities", int(status["CapPrm"], 16) | int(status["CapBnd"], 16), 0)
    checks.equal("can get no privileges", status["NoNewPrivs"], "1")
    with open(f"/proc/{pid}/mountinfo") as file:
        root = next(line.split() for line in file if line.split()[4] == "/")
    checks.that("the root file system is read-only", "ro" in root[5].split(","))


def check_first_start(image):
    """Without a user it waits for one."""
    port = free_port()
    container = Container(image, environment={"METUBE_HUB_LISTEN": f"127.0.0.1:{port}"})
    checks.that("a hub without users is healthy", wait(answers(port)), container.log)
    checks.that("its log has the code for the first user", wait(lambda: "with the code" in container.log), container.log)
    checks.equal("it serves nothing else", get(port, "/api/v1/videos")[0], 503)
    checks.equal("it passes its own health check", container.execute("/usr/bin/metube-hub", "status")[0], 0)
    checks.equal("it stops on SIGTERM", container.stop()[0], 0)


def check_serving(image, fixtures):
    port = free_port()
    setting = {"METUBE_HUB_LISTEN": f"127.0.0.1:{port}", "METUBE_RSS_FEEDS_URL": fixtures.url}
    status, log = run(image, ["user", "add", "ann"], stdin=PASSWORD.encode() + b"\n")
    checks.equal("adds a user: docker run -i … user add ann", status, 0, log)
    data = max(glob.glob(f"{image.work}/tmp*"), key=os.path.getmtime)
    container = Container(image, data=data, environment=setting)
    checks.that("serves", wait(answers(port)), container.log)
    check_isolation(container)
    status, log = container.execute("/usr/bin/metube-hub", "status")
    checks.equal("HEALTHCHECK: 0 while it runs", status, 0, log)
    status, token = container.execute("/usr/bin/metube-hub", "token", "add", "ann", "test")
    checks.equal("docker exec … token add", status, 0, token)
    token = token.split()[-1]
    with open("feeds.opml", "rb") as file:
        status, text = get(port, "/api/v1/import", token, file.read())
    checks.equal("imports", status, 200, text)
    checks.equal("polls on request", get(port, "/api/v1/poll", token, b"")[0] // 100, 2)
    videos = lambda: len(json.loads(get(port, "/api/v1/videos?limit=200", token)[1]).get("videos", []))
    checks.that("finds videos", wait(lambda: videos() >= 100, 60), container.log)
    checks.that("an idle hub stops on SIGTERM with 0, in {1:.1f} s", *checks.stopped(container))
    status, log = run(image, ["status"], data=data, environment=setting)
    checks.equal("HEALTHCHECK: 1 while it does not", status, 1, log)


def check_stopping_during_poll(image, slow):
    """The fixture server answers after two seconds, so that requests are under way when the signal comes."""
    port = free_port()
    data = tempfile.mkdtemp(dir=image.work)
    os.chown(data, USER, USER)
    run(image, ["user", "add", "ann"], data=data, stdin=PASSWORD.encode() + b"\n")
    setting = {"METUBE_HUB_LISTEN": f"127.0.0.1:{port}", "METUBE_RSS_FEEDS_URL": slow.url}
    container = Container(image, data=data, environment=setting)
    wait(answers(port))
    token = container.execute("/usr/bin/metube-hub", "token", "add", "ann", "test")[1].split()[-1]
    with open("feeds.opml", "rb") as file:
        get(port, "/api/v1/import", token, file.read())
    get(port, "/api/v1/poll", token, b"")
    polling = wait(lambda: json.loads(container.execute("/usr/bin/metube-hub", "status", "--json")[1]).get("polling"), 20)
    checks.that("a poll runs", polling, container.execute("/usr/bin/metube-hub", "status", "--json")[1])
    checks.that("a hub that polls stops on SIGTERM with 0, in {1:.1f} s", *checks.stopped(container))
    status, log = run(image, ["log", "verify", "--all"], data=data)
    checks.equal("its logs are whole", status, 0, log)


def check_wrong_owner(image):
    data = tempfile.mkdtemp(dir=image.work)
    os.chmod(data, 0o755)
    container = Container(image, data=data)
    status = container.ended(20)
    checks.that("a folder of another owner: stops", isinstance(status, int) and status > 0, container.log)
    if has_setup(image):
        checks.equal("a folder of another owner: status", status, 74, container.log)
        for words in ("/data", f"chown -R {USER}:{USER}"):
            checks.that(f"a folder of another owner: the message has {words}", words in container.log, container.log)


def check_terminal_program(image, fixtures):
    data = tempfile.mkdtemp(dir=image.work)
    os.chown(data, USER, USER)
    setting = {"METUBE_RSS_FEEDS_URL": fixtures.url}
    program = lambda *words: run(image, list(words), entrypoint=["/usr/bin/metube-rss"], data=data, environment=setting)
    checks.equal("metube-rss imports", program("import", "/usr/share/metube-rss/demo/feeds.opml")[0], 0)
    status, log = program("poll")
    checks.that("metube-rss polls", status == 0 and "300 new" in log, log)
    checks.that("metube-rss lists", program("list", "--limit", "3", "--format", "ids")[1].count("\n") >= 3)
    # Such a name needs the locale C.UTF-8.
    table = output(".build/release/fixture-server", "--list-csv", "3")
    with zipfile.ZipFile(f"{data}/takeout.zip", "w") as takeout:
        takeout.writestr("Takeout/YouTube und YouTube Music/Abos für mich/Abos.csv", table)
    status, log = program("import", "/data/takeout.zip")
    checks.that("metube-rss imports an archive", status == 0 and "3 new" in log, log)


def has_command(image, name):
    return run(image, [name, "--help"])[1].startswith("OVERVIEW") and name in run(image, ["--help"])[1].split("SUBCOMMANDS")[1]


def has_setup(image):
    return has_command(image, "setup")


def check_demo(image):
    if not has_command(image, "demo"):
        print("      not in this build: metube-hub demo")
        return
    port = free_port()
    container = Container(image, ["demo", "--listen", f"127.0.0.1:{port}"])
    checks.that("the demo answers", wait(answers(port)), container.log)
    checks.that("the demo shows videos", wait(lambda: 'data-video="' in get(port, "/")[1]), get(port, "/")[1][:300])
    checks.that("the demo stops on SIGTERM with 0, in {1:.1f} s", *checks.stopped(container))


def main():
    if os.geteuid() != 0:
        checks.skip("only root can run containers")
    has_yaml = importlib.util.find_spec("yaml")
    for program in ("skopeo", "umoci", "runc"):
        if not shutil.which(program) or not has_yaml:
            if not shutil.which("apt-get"):
                checks.skip(f"there is no {program if has_yaml else 'python3-yaml'}")
            script = "apt-get update -qq && apt-get install -y -qq --no-install-recommends skopeo umoci runc python3-yaml"
            output("sh", "-c", script, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    import compose_test  # Needs python3-yaml.

    on_postgres = sys.argv[1:] == ["--postgres"]
    archives = glob.glob(f".build/dist/metube-rss-{output('scripts/version.sh').strip()}-image-*.tar.gz")
    if not archives:
        sys.exit("image-test: no image in .build/dist; run make image")
    with tempfile.TemporaryDirectory(prefix="image-test-") as work:
        os.chmod(work, 0o755)
        image = Image(archives[0], work)
        status, log = run(image, ["--version"])
        if status != 0 and "metube-hub" not in log:
            checks.skip(f"runc cannot run a container here: {(log.strip() or 'no message').splitlines()[-1]}")
        servers = [FixtureServer(work), FixtureServer(work, latency=2000)]
        try:
            if not on_postgres:
                check_config(image)
                check_files(image)
                check_first_start(image)
                check_serving(image, servers[0])
                check_stopping_during_poll(image, servers[1])
                check_wrong_owner(image)
                check_terminal_program(image, servers[0])
                check_demo(image)
            compose_test.main(sys.modules[__name__], image, servers[0])
        finally:
            for server in servers:
                server.stop()
    if not on_postgres:
        words = ["scripts/with-postgres.sh", sys.executable, sys.argv[0], "--postgres"]
        status = subprocess.run(words, env={**os.environ, "POSTGRES_OPTIONS": "-c fsync=off -c max_connections=100"}).returncode
        checks.that("compose.postgres.yaml, above", status == 0)
    checks.end(is_last=not on_postgres)


if __name__ == "__main__":
    main()
