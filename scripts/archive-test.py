#!/usr/bin/env python3
"""Tests the self-contained archive in .build/dist on minimal systems (scripts/root.sh) of Debian 12 and 13 and Ubuntu 22.04 and
24.04, or on the suites that are named: as an ordinary user, from a home folder, with nothing installed besides.

Each unpacks it, imports, polls a fixture server over loopback with and without TLS, lists, browses and polls from there, starts
a player, and serves; with the system's C library where that is recent enough, and with the archive's own. Needs root. The last line is
`archive-test: N failed`, or `archive-test: skipped: …` with status 0 where the machine cannot make or enter such a system.
"""
import glob, os, pty, select, shutil, signal, ssl, subprocess, sys, tempfile, threading, time, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from checks import Checks, free_port, wait

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
SUITES = {"bookworm": "Debian 12", "trixie": "Debian 13", "jammy": "Ubuntu 22.04", "noble": "Ubuntu 24.04"}
USER = 1000
checks = Checks("archive-test")


class Fixtures:
    """The feeds of Fixtures on loopback, and the same behind TLS with a certificate of an authority of its own."""

    def __init__(self, work):
        port_file = os.path.join(work, "port")
        self.process = subprocess.Popen(
            [".build/release/fixture-server", "Fixtures/feeds/channels", "--port-file", port_file],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(lambda: os.path.exists(port_file) and os.path.getsize(port_file) > 0)
        with open(port_file) as file:
            self.url = f"http://127.0.0.1:{file.read().strip()}"
        self.authority = os.path.join(work, "authority.pem")
        key = os.path.join(work, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", self.authority, "-days", "2",
             "-subj", "/CN=archive-test", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.authority, key)
        origin = self.url

        class Forwarder(BaseHTTPRequestHandler):
            def do_GET(self):
                with urllib.request.urlopen(origin + self.path) as response:
                    body = response.read()
                self.send_response(200)
                self.send_header("Content-Type", "text/xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Forwarder)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.secure_url = f"https://127.0.0.1:{server.server_port}"

    def stop(self):
        self.process.terminate()
        self.process.wait()


class System:
    """A minimal system, and a home folder in it; what is mounted there goes with this process's mount namespace."""

    def __init__(self, tar, work, archive):
        self.root = tempfile.mkdtemp(dir=work)
        subprocess.run(["tar", "-C", self.root, "-xf", tar], check=True)
        os.chmod(self.root, 0o755)
        self.home = "/home/ann"
        self.path = self.root + self.home
        os.makedirs(self.path)
        shutil.copy(archive, f"{self.path}/archive.tar.gz")
        os.chown(self.path, USER, USER)
        for source, target in (("/proc", "proc"), ("/dev", "dev")):
            subprocess.run(["mount", "--rbind", source, f"{self.root}/{target}"], check=True)

    def words(self, words, environment):
        variables = {"HOME": self.home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm", **environment}
        settings = [f"{name}={value}" for name, value in variables.items()]
        return ["chroot", f"--userspec={USER}:{USER}", self.root, "/usr/bin/env", "-i", "-C", self.home, *settings, *words]

    def run(self, *words, **environment):
        """Runs a command as the user; its status and output."""
        result = subprocess.run(
            self.words(words, environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        return result.returncode, result.stdout.decode(errors="replace")

    def start(self, *words, **environment):
        log = open(f"{self.path}/log", "w")
        return subprocess.Popen(self.words(words, environment), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def glibc(self):
        return self.run("/bin/sh", "-c", "ldd --version | head -n 1")[1].split()[-1]


class Screen:
    """A program on a terminal of its own."""

    def __init__(self, words):
        self.text = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvp(words[0], words)

    def shows(self, text, seconds=20):
        """Whether a text appears, from now on."""
        deadline, start = time.monotonic() + seconds, len(self.text)
        while text.encode() not in self.text[start:] and time.monotonic() < deadline:
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.terminal, 65536)
                except OSError:
                    break
        return text.encode() in self.text[start:]

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def end(self):
        """The exit status."""
        deadline = time.monotonic() + 40
        while time.monotonic() < deadline:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.terminal, 65536)
                except OSError:
                    time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return "still running"


def answers(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as response:
            return response.status == 200
    except OSError:
        return False


def test(system, label, fixtures, libc):
    """What a newcomer does, with one C library; each uses folders of its own."""
    base = {"METUBE_RSS_FEEDS_URL": fixtures.url, "METUBE_RSS_HOME": f"{system.home}/{libc or 'system'}"}
    if libc:
        base["METUBE_OWN_LIBC"] = "1"

    def program(*words, **more):
        return system.run("metube-rss/bin/metube-rss", *words, **{**base, **more})

    def check(what, is_true, evidence=""):
        checks.that(f"{label}: {what}", is_true, evidence)

    status, text = program("--version")
    check("--version", status == 0 and text.startswith("metube-rss "), text)
    status, text = program("import", "metube-rss/share/metube-rss/demo/feeds.opml")
    check("import", status == 0 and "20 new" in text, text)

    # The view polls by starting its own program again.
    screen = Screen(system.words(["metube-rss/bin/metube-rss", "browse"], base))
    check("browse starts", screen.shows("? help") or b"help" in screen.text, repr(screen.text[-300:]))
    screen.type("r")
    check("browse polls", screen.shows("A Rack That Fits on a Bookshelf", 40), repr(screen.text[-600:]))
    screen.type("q")
    check("browse ends with 0", (status := screen.end()) == 0, f"{status} {screen.text[-300:]!r}")

    with open(f"{system.path}/player", "w") as file:
        file.write("#!/bin/sh\nenv\necho end\n")
    os.chmod(f"{system.path}/player", 0o755)
    secure = {"METUBE_RSS_FEEDS_URL": fixtures.secure_url, "METUBE_RSS_HOME": base["METUBE_RSS_HOME"] + "-tls"}
    program("follow", *channels()[:3], **secure)
    status, text = program("poll", **secure)
    check("an unknown authority is refused", "45 new" not in text and "certificate" in text, text)
    shutil.copy(fixtures.authority, f"{system.path}/authority.pem")
    secure |= {"METUBE_RSS_CA_FILE": f"{system.home}/authority.pem", "METUBE_RSS_PLAYER": f"{system.home}/player {{url}}"}
    status, text = program("poll", "--all", "--force", **secure)
    check("poll over TLS", "45 new" in text, text)
    named = {name: value for name, value in secure.items() if name != "METUBE_RSS_CA_FILE"}
    named["SSL_CERT_FILE"] = secure["METUBE_RSS_CA_FILE"]
    status, text = program("poll", "--all", "--force", **named)
    check("poll over TLS, with the authority in SSL_CERT_FILE", status == 0 and "3 feeds checked" in text, text)
    status, text = program("list", "--limit", "3", "--format", "ids")
    check("list", status == 0 and text.count("\n") >= 3, text)

    status, text = program("play", text.split()[0], **secure)
    has_own = os.path.exists(f"{system.root}/etc/ssl/certs/ca-certificates.crt")
    check("certificates of the archive only where the system has none", ("SSL_CERT_FILE=" in text) != has_own, text)
    check("a player gets no library path", "HOME=" in text and "end" in text and "LD_" not in text, text)

    port = free_port()
    hub = system.start("metube-rss/bin/metube-hub", "serve", "--listen", f"127.0.0.1:{port}", **base)
    check("the hub answers", wait(lambda: answers(port)), open(f"{system.path}/log").read())
    hub.terminate()
    check("the hub stops on SIGTERM with 0", hub.wait(30) == 0, open(f"{system.path}/log").read())
    if "demo" in system.run("metube-rss/bin/metube-hub", "--help", **base)[1].split("SUBCOMMANDS")[-1]:
        port = free_port()
        start = time.monotonic()
        hub = system.start("metube-rss/bin/metube-hub", "demo", "--listen", f"127.0.0.1:{port}", **base)
        answered = wait(lambda: answers(port))
        check(f"the demo answers, after {time.monotonic() - start:.1f} s", answered, open(f"{system.path}/log").read())
        hub.terminate()
        check("the demo ends with 0", hub.wait(30) == 0)


def channels():
    return sorted(os.path.basename(path).removesuffix(".xml") for path in glob.glob("Fixtures/feeds/channels/UC*.xml"))


def main():
    if os.geteuid() != 0:
        checks.skip("only root can enter another system")
    if os.environ.get("METUBE_ARCHIVE_TEST") != "inside":
        # What is mounted goes with the namespace.
        os.environ["METUBE_ARCHIVE_TEST"] = "inside"
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
            checks.skip("this machine lets nobody mount")
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    version = subprocess.run(["scripts/version.sh"], check=True, capture_output=True, text=True).stdout.strip()
    archives = glob.glob(f".build/dist/metube-rss-{version}-linux-*.tar.gz")
    if not archives:
        sys.exit("archive-test: no archive in .build/dist; run make archive")
    with tempfile.TemporaryDirectory(prefix="archive-test-") as work:
        os.chmod(work, 0o755)
        fixtures = Fixtures(work)
        try:
            skipped = []
            for suite in sys.argv[1:] or SUITES:
                made = subprocess.run(["scripts/root.sh", suite], stdout=subprocess.PIPE, text=True)
                if made.returncode == 75:
                    skipped.append(SUITES.get(suite, suite))
                    continue
                if not checks.that(f"{SUITES.get(suite, suite)}: scripts/root.sh {suite}", made.returncode == 0):
                    continue
                system = System(made.stdout.strip(), work, archives[0])
                start = time.monotonic()
                status, text = system.run("tar", "xf", "archive.tar.gz", "--one-top-level=metube-rss", "--strip-components=1")
                label = f"{SUITES.get(suite, suite)}, glibc {system.glibc()}"
                checks.that(f"{label}: unpacks, in {time.monotonic() - start:.1f} s", status == 0, text)
                test(system, label, fixtures, None)
                test(system, f"{label}, own libc", fixtures, "own")
                for name in ("proc", "dev"):
                    subprocess.run(["umount", "--recursive", "--lazy", f"{system.root}/{name}"], check=True)
        finally:
            fixtures.stop()
    for suite in skipped:
        print(f"archive-test: {suite} skipped; see above")
    if skipped and not checks.passed and not checks.failed:
        checks.skip("no system could be made")
    checks.end()


if __name__ == "__main__":
    main()
