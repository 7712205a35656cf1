#!/usr/bin/env python3
"""judge-readers.py: readers that others wrote against metube-hub, on the demo's feeds.

newsboat in its `miniflux` and `feedhq` modes (reload, read, mark read and unread, star), the Python client of Miniflux
(every call that has a meaning here), miniflux-tui, RSS Guard and Liferea with each kind of account that the manual names
(log in, load, mark, star), and the MeTube app's network code. Addresses, configurations and the command for the token are
those that docs/readers.md prints, letter by letter. What they do must be in the log, as `metube-rss list` shows it.
BIN (.build/release) is the folder of the programs. Exits with 1 if one complains; what is not installed is skipped.
"""
import contextlib, fcntl, os, pty, re, select, shutil, signal, struct, subprocess, sys, tempfile, termios, time, traceback
from pathlib import Path

from readers import (
    ADDRESSES, GUARD_KINDS, LIFEREA_KINDS, NEWSBOAT, PASSWORD, TOKEN, Guard, has_screen, liferea, printed, wait)

root = Path(__file__).resolve().parent.parent
bin = Path(os.environ.get("BIN", root / ".build/release"))


class Home:
    """A home with the demo's feeds, polled, and a hub with a user on it."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="metube-judge-"))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("METUBE_")}
        self.environment = kept | {"METUBE_RSS_HOME": str(self.folder), "no_proxy": "127.0.0.1", "TZ": "UTC"}
        port = self.folder / "port"
        self.server = subprocess.Popen(
            [bin / "fixture-server", root / "Fixtures/feeds/channels", "--port-file", port, "--exit-after", "900"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(lambda: port.exists() and port.read_text())
        self.environment["METUBE_RSS_FEEDS_URL"] = "http://127.0.0.1:" + port.read_text().strip()
        self.run("import", str(root / "feeds.opml"))
        self.run("follow", "--tag", "science", "UCsXVk37bltHxD1rDPwtNM8Q")
        self.run("poll", "--rate", "0")
        self.call("metube-hub", "user", "add", "ann", stdin=PASSWORD + "\n")
        words = [{"USER": "ann", "NAME": "judge"}.get(word, word) for word in TOKEN]
        self.token = self.call("metube-hub", *words).split("\n")[0]
        self.serve()

    def serve(self, *options):
        self.hub = subprocess.Popen(
            [bin / "metube-hub", "serve", "--no-poll", "--listen", "127.0.0.1:0", *options], env=self.environment,
            stdout=subprocess.PIPE, text=True)
        self.url = self.hub.stdout.readline().split()[-1].rstrip("/")

    def printed(self, text):
        """What the manual prints, for this hub."""
        return printed(text, self.url, self.token)

    def stop(self):
        self.hub.terminate()
        self.hub.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.hub, self.server):
            process.terminate()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, program, *words, stdin=""):
        ended = subprocess.run(
            [bin / program, *words], input=stdin, capture_output=True, text=True, env=self.environment, timeout=120)
        if ended.returncode:
            raise AssertionError(f"{program} {' '.join(words)}: {ended.stderr}")
        return ended.stdout

    def run(self, *words):
        return self.call("metube-rss", *words)

    def list(self, *words):
        return self.run("list", "--limit", "0", "--format", "ids", *words).split()


class Screen:
    """A program on a terminal of its own."""

    def __init__(self, words, environment):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.clear()
            os.environ.update(environment | {"TERM": "xterm", "LINES": "40", "COLUMNS": "120"})
            os.execvp(words[0], words)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.text = ""

    def read(self, seconds=0.5):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.terminal, 65536).decode(errors="replace")
                except OSError:
                    return self.text
        return self.text

    def press(self, keys):
        os.write(self.terminal, keys.encode())
        self.read()

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def newsboat(home, source):
    """One mode of newsboat, from a reload to a star."""
    folder = home.folder / source
    folder.mkdir()
    lines = NEWSBOAT[source]
    assert ADDRESSES["Miniflux" if source == "miniflux" else "Google Reader"] in lines, "docs/readers.md has two addresses"
    (folder / "config").write_text(home.printed(lines))
    words = ["newsboat", "-C", str(folder / "config"), "-c", str(folder / "cache.db"), "-u", str(folder / "urls"),
             "-l", "5", "-d", str(folder / "log")]
    # A request to another host fails.
    environment = home.environment | {"HOME": str(folder), "http_proxy": "http://127.0.0.1:9"}
    def unread():
        ended = subprocess.run(
            [*words, "-x", "reload", "print-unread"], env=environment, capture_output=True, text=True, timeout=120)
        return int(ended.stdout.split()[0])
    wanted = len(home.list())
    got = unread()
    assert got == wanted, f"newsboat has {got} unread, list {wanted}"
    # Marked in the terminal, read in newsboat after a reload.
    marked = home.list()[0]
    home.run("watched", marked)
    got = unread()
    assert got == wanted - 1, f"after a mark in the terminal newsboat has {got} unread instead of {wanted - 1}"
    home.run("undo", "--yes")
    assert unread() == wanted, "newsboat does not take back what undo took back"
    screen = Screen(words, environment)
    try:
        screen.read(3)
        screen.press("\r")
        screen.read(1)
        # An article that is opened is marked read with the next key.
        screen.press("\r")
        screen.press("q")
        read = wait(lambda: home.list("--watched"))
        assert len(read) == 1, f"one article was opened, and {len(read)} are watched"
        screen.press("N")
        wait(lambda: not home.list("--watched"))
        if "flag-star" in lines:
            screen.press("\x05")
            screen.press("s\r")
            wait(lambda: len(home.list("--saved")) == 1)
            screen.press("\x05")
            screen.press("\x7f\r")
            wait(lambda: not home.list("--saved"))
        screen.press("q")
        screen.press("A")
        wait(lambda: home.list("--watched"))
    except AssertionError:
        print("".join((folder / "log").read_text(errors="replace").splitlines(True)[-60:]), file=sys.stderr)
        raise
    finally:
        screen.end()
    home.run("undo", "--yes")
    failed = re.findall("Error while retrieving .*", (folder / "log").read_text(errors="replace"))
    assert not failed, failed[0]


def client(home):
    """Every call of the Python client that has a meaning here."""
    import miniflux

    for given in (dict(api_key=home.token), dict(username="ann", password=PASSWORD)):
        one = miniflux.Client(home.printed(ADDRESSES["Miniflux"]), **given)
        assert one.me()["username"] == "ann"
    assert one.get_version()["version"] and one.get_integrations_status() and one.flush_history()
    feeds, categories = one.get_feeds(), one.get_categories()
    assert len(feeds) == 20 and len(categories) > 1
    science = next(each for each in categories if each["title"].lower() == "science")
    feed = next(each for each in one.get_category_feeds(science["id"]) if "UCsXVk37" in each["site_url"])
    assert one.get_feed(feed["id"])["site_url"].endswith("UCsXVk37bltHxD1rDPwtNM8Q")
    videos = home.list()
    page = one.get_entries(status=["unread"], order="published_at", direction="desc", limit=1000)
    assert [each["hash"] for each in page["entries"]] == videos and page["total"] == len(videos)
    entry = page["entries"][0]
    assert one.get_entry(entry["id"])["url"] == entry["url"]
    assert one.get_feed_entry(entry["feed_id"], entry["id"]) == one.get_entry(entry["id"])
    assert one.fetch_entry_content(entry["id"])["content"] == entry["content"]
    own = one.get_category_entries(science["id"], limit=1000)
    assert {each["id"] for each in one.get_feed_entries(feed["id"], limit=1000)["entries"]} <= {
        each["id"] for each in own["entries"]}
    assert one.get_category_entry(science["id"], own["entries"][0]["id"])["id"] == own["entries"][0]["id"]
    counters = one.get_feed_counters()
    assert sum(counters["unreads"].values()) == len(videos)
    assert one.update_entries([entry["id"]], "read") and home.list("--watched") == [entry["hash"]]
    assert one.update_entries([entry["id"]], "unread") and not home.list("--watched")
    assert one.toggle_bookmark(entry["id"]) and home.list("--saved") == [entry["hash"]]
    assert one.get_entries(starred=True)["total"] == 1
    assert one.toggle_bookmark(entry["id"]) and not home.list("--saved")
    assert one.save_entry(entry["id"]) and home.list("--saved") == [entry["hash"]]
    assert one.get_entries(search="zzzzqqqq")["total"] == 0
    made = one.create_category("Kitchen")
    assert one.discover("https://www.youtube.com/channel/UC3I2GFN_F8WudD_2jUZbojA")[0]["type"] == "atom"
    one.delete_feed(feed["id"])
    assert "UCsXVk37bltHxD1rDPwtNM8Q" not in home.run("channels", "--format", "ids")
    again = one.create_feed("https://www.youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8Q", made["id"])
    assert again == feed["id"], "the same channel, the same number"
    assert one.update_feed(again, title="Shown")["title"] == "Shown"
    kitchen = one.update_category(made["id"], "Cooking")
    assert "Shown" in home.run("channels", "--tag", "Cooking")
    one.delete_category(kitchen["id"])
    assert one.refresh_all_feeds() and one.refresh_feed(again) and one.refresh_category(categories[0]["id"])
    assert len(one.get_feeds()) == 20 and "<opml" in one.export_feeds()
    assert one.import_feeds((root / "feeds.opml").read_text())["message"]
    one.mark_feed_entries_as_read(again)
    assert one.get_feed_entries(again, status="unread")["total"] == 0
    one.mark_category_entries_as_read(one.get_categories()[0]["id"])
    one.mark_user_entries_as_read(1)
    assert not home.list()
    for refused in (lambda: one.get_feed(999), lambda: one.get_icon(1), lambda: one.get_entry(10**9)):
        try:
            refused()
            raise AssertionError("not refused")
        except miniflux.ResourceNotFound as error:
            assert error.get_error_reason()
    try:
        miniflux.Client(home.printed(ADDRESSES["Miniflux"]), api_key="wrong").me()
        raise AssertionError("a wrong token was accepted")
    except miniflux.AccessUnauthorized:
        pass


def tui(home):
    """miniflux-tui: lists, marks one read and stars one."""
    folder = home.folder / "tui"
    (folder / ".config/miniflux-tui").mkdir(parents=True)
    (folder / ".config/miniflux-tui/config.toml").write_text(
        f'server_url = "{home.printed(ADDRESSES["Miniflux"])}"\nallow_invalid_certs = true\n'
        f'password = ["echo", "{home.token}"]\n')
    program = Path(sys.executable).parent / "miniflux-tui"
    environment = home.environment | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config")}
    title = home.run("list", "--limit", "1", "--format", "jsonl").split('"title":"')[1][:12]
    screen = Screen([str(program)], environment)
    try:
        wait(lambda: title in screen.read())
        screen.press("m")
        wait(lambda: len(home.list("--watched")) == 1)
        screen.press("f")
        wait(lambda: len(home.list("--saved")) == 1)
    except AssertionError:
        print(screen.text[-3000:], file=sys.stderr)
        raise
    finally:
        screen.end()


def rss_guard(home, kind):
    """RSS Guard with an account of a kind: it loads, marks, stars, and shows what another device marked."""
    guard = Guard(home.folder / "guard", home.environment, kind, home.url)
    everything, wanted = home.list(), len(home.list())
    def messages(where):
        return guard.tables.count(f"SELECT count(*) FROM Messages WHERE {where}")
    with guard.window() as window:
        try:
            wait(lambda: messages("is_read = 0") == wanted)
            assert guard.tables.count("SELECT count(*) FROM Feeds") == 20
            home.run("watched", everything[0])
            press_until(window, ["ctrl+alt+u"], lambda: messages("is_read = 1") == 1)
            # Of a feed in the list an article, which is read then; what is done is sent with the next update.
            press_until(window, ["ctrl+alt+e", "ctrl+alt+j", "ctrl+alt+k"], lambda: messages("is_read = 1") > 1)
            window.press("ctrl+alt+i")
            wait(lambda: messages("is_important = 1") == 1)
            press_until(window, ["ctrl+alt+u"], lambda: len(home.list("--saved")) == 1)
            wait(lambda: len(home.list("--watched")) == messages("is_read = 1"))
            window.press("ctrl+alt+y")
            wait(lambda: messages("is_read = 1") == wanted)
            press_until(window, ["ctrl+alt+u"], lambda: len(home.list("--watched")) == wanted)
        except AssertionError:
            print((guard.folder / "output").read_text(errors="replace")[-3000:], file=sys.stderr)
            raise AssertionError(
                f"RSS Guard has {messages('1')} articles of {wanted}, {messages('is_read = 1')} read and"
                f" {messages('is_important = 1')} starred; the hub {len(home.list('--watched'))} and"
                f" {len(home.list('--saved'))}") from None


def press_until(window, keys, holds):
    """Presses keys until something holds, which they may be too early for."""
    for _ in range(20):
        for each in keys:
            window.press(each)
        with contextlib.suppress(AssertionError):
            return wait(holds, 10)
    raise AssertionError(f"{' '.join(keys)}: nothing comes of it")


def liferea_kind(home, kind):
    """Liferea with an account of a kind: it loads, marks read and unread, and stars."""
    folder = home.folder / "liferea"
    window, tables = liferea(folder, home.environment, kind, home.url)
    wanted = len(home.list())
    with window:
        try:
            wait(lambda: tables.count("SELECT count(*) FROM items") == wanted)
            press_until(window, ["ctrl+n"], lambda: len(home.list("--watched")) == 1)
            window.press("ctrl+t")
            wait(lambda: len(home.list("--saved")) == 1)
            window.press("ctrl+m")
            wait(lambda: not home.list("--watched"))
            assert home.list("--saved") and len(home.list()) == wanted
        except AssertionError:
            print((folder / "output").read_text(errors="replace")[-3000:], file=sys.stderr)
            raise AssertionError(
                f"Liferea has {tables.count('SELECT count(*) FROM items')} articles of {wanted}; the hub"
                f" {len(home.list('--watched'))} watched, {len(home.list('--saved'))} saved") from None


def app(home):
    """The MeTube app's own network code, both generations: every video once, whatever happens to the hub's files."""
    def run(*words, stdin=""):
        ended = subprocess.run(
            [root / ".bench/app/judge-app", home.printed(ADDRESSES["the MeTube app"]), *words], input=stdin,
            capture_output=True, text=True, env=home.environment, timeout=300)
        assert ended.returncode == 0, f"{words}: {ended.stderr}"
        return [line.split() for line in ended.stdout.splitlines()]
    def query(after=0):
        *rows, last = run("query", str(after))
        numbers = [int(row[0]) for row in rows]
        assert numbers == sorted(set(numbers)) and all(number > after for number in numbers), "not ascending"
        return [(int(row[0]), row[1]) for row in rows], int(last[1])
    def restart(change):
        home.stop()
        change()
        home.serve()
    def restore():
        # Into an empty folder, as the manual says.
        for name in ("log", "state", "cache"):
            shutil.rmtree(home.folder / name, ignore_errors=True)
        subprocess.run(["tar", "-xf", backup, "-C", home.folder], check=True)
    everything = ["--all", "--shorts", "show", "--upcoming", "show", "--no-rules"]
    # It is followed later.
    late = "UCsXVk37bltHxD1rDPwtNM8Q"
    home.run("unfollow", late)
    later = sorted(home.list(*everything, "--channel", late))
    every = sorted(set(home.list(*everything)) - set(later))
    channels = [row[0] for row in run("channels")]
    assert sorted(channels) == sorted(set(channels)) and len(channels) == 19, "a channel twice ends the app"
    rows, last = query()
    assert sorted(video for _, video in rows) == every, "the newer generation has not every video once"
    assert query(last) == ([], last)
    user = "0B8F5A6C-7D2E-4F31-9A44-3E1B2C5D6E7F"
    run("register", user, stdin=" ".join(channels) + "\n")
    assert int(run("health")[0][0]) == 19 and int(run("reconcile", user)[0][0]) >= 0
    for limit in ("7", "100"):
        pages = run("feed", user, limit)
        assert sorted(video for video, _ in pages) == every, f"the older generation by {limit}: not every video once"
        times = [int(time) for _, time in pages]
        assert times == sorted(times, reverse=True)
    # Found since then, whenever it was published; nothing since tomorrow.
    assert run("feed", user, "7", str(times[0])) == pages, "what was published before and found after a time is lost"
    assert not run("feed", user, "7", str(int(time.time()) + 86400))
    backup = home.folder / "backup.tar"
    home.call("metube-hub", "backup", str(backup))
    restart(lambda: shutil.rmtree(home.folder / "cache"))
    assert query() == (rows, last), "a rebuilt cache changes the numbers"
    assert sorted(video for video, _ in run("feed", user, "100")) == every
    restart(restore)
    assert query() == (rows, last), "a restored backup changes the numbers"
    # What is numbered after a backup gets higher numbers once more: the app keeps its last one for ever.
    home.call("metube-hub", "backup", str(backup))
    home.run("follow", late)
    found, last = query(last)
    assert sorted(video for _, video in found) == later
    restart(restore)
    home.run("follow", late)
    again, last = query(last)
    assert sorted(video for _, video in again) == later, "videos are lost after a restored backup"
    made = [f"UC{number:021d}A" for number in range(1181)]
    run("register", user, stdin=" ".join(channels + made) + "\n")
    assert len(run("channels")) == 1201
    run("register", user, stdin=" ".join(channels) + "\n")
    left = {row[0] for row in run("channels")}
    assert left == {*channels, late}, "what the app leaves out is unfollowed, and nothing else"


def judged(name, isThere, judge):
    """Reports one judge; returns whether it complains."""
    if not isThere:
        print(f"skipped  {name}: not installed")
        return False
    try:
        with Home() as home:
            judge(home)
    except Exception as broken:
        print(f"BAD      {name}: {broken}", flush=True)
        traceback.print_exc(limit=-2)
        return True
    print(f"good     {name}", flush=True)
    return False


def has(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0


# Ends the hub and the server too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
boat = shutil.which("newsboat")
judges = [
    ("newsboat, miniflux", boat, lambda home: newsboat(home, "miniflux")),
    ("newsboat, feedhq", boat, lambda home: newsboat(home, "feedhq")),
    ("miniflux, the Python client", has("miniflux"), client),
    ("miniflux-tui", has("miniflux_tui"), tui),
    *((f"RSS Guard, {kind}", shutil.which("rssguard") and has_screen(), lambda home, kind=kind: rss_guard(home, kind))
      for kind in GUARD_KINDS),
    *((f"Liferea, {kind}", shutil.which("liferea") and shutil.which("dbus-run-session") and has_screen(),
       lambda home, kind=kind: liferea_kind(home, kind)) for kind in LIFEREA_KINDS),
    ("the MeTube app's network code", (root / ".bench/app/judge-app").exists(), app),
]
wanted = sys.argv[1:]
sys.exit(any([judged(name, there, judge) for name, there, judge in judges if not wanted or any(w in name for w in wanted)]))
