"""What docs/readers.md prints for readers, letter by letter, and readers with a window, for the scripts that judge with them."""
import base64, contextlib, json, os, re, shutil, signal, sqlite3, subprocess, time
from pathlib import Path
from xml.sax.saxutils import quoteattr

PASSWORD = "a long password"
manual = (Path(__file__).resolve().parent.parent / "docs/readers.md").read_text()
# The addresses by the API whose name begins a row of the table of readers.
ADDRESSES = dict(re.findall(r"^\| (Miniflux|Google Reader|the MeTube app)[^|]*\| `([^`]*)` \|", manual, re.M))
# The lines of newsboat's configuration by its source, and the words that make a token.
NEWSBOAT = {lines.split('"')[1]: lines for lines in re.findall(r'^```ini\n(urls-source .*?)^```', manual, re.M | re.S)}
TOKEN = re.search(r"made\s+by\s+`metube-hub\s([^`]*)`", manual)[1].split()
assert len(ADDRESSES) == 3 and set(NEWSBOAT) == {"miniflux", "feedhq"}, "docs/readers.md has another form"
# The kinds of account by the names that the manual has for them: what they are called in the reader's files, and the API.
GUARD_KINDS = {"FreshRSS": 1, "Other services": 1024}
LIFEREA_KINDS = {"Google Reader API": ("fl_google_reader", "Google Reader"), "Miniflux": ("fl_miniflux", "Miniflux")}


def printed(text, url, token=""):
    """What the manual prints, with a hub, its token and its password in the place of the examples."""
    for example, value in [("http://127.0.0.1:5057", url), ("https://hub.example", url), ("TOKEN", token), ("…", PASSWORD)]:
        text = text.replace(example, value)
    return text


def wait(holds, seconds=120):
    """Waits until something holds, and returns it."""
    for _ in range(seconds * 10):
        if value := holds():
            return value
        time.sleep(0.1)
    raise AssertionError("waited in vain")


def has_screen():
    """Whether programs with a window can be run."""
    return all(shutil.which(name) for name in ("Xvfb", "xdotool"))


class Window:
    """A program with a window on a screen of its own, which gets keys; what it prints is added to a file."""

    def __init__(self, words, environment, title, output):
        reading, writing = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as lines:
            self.display = {"DISPLAY": ":" + lines.readline().strip()}
        self.title = title
        with open(output, "a") as file:
            self.process = subprocess.Popen(
                words, env=environment | self.display, stdout=file, stderr=file, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            # It writes its files first.
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.screen.terminate()
        self.screen.wait()

    def tool(self, *words):
        return subprocess.run(
            ["xdotool", *words], env=os.environ | self.display, capture_output=True, text=True, timeout=60).stdout.split()

    def press(self, keys):
        """Presses keys such as `ctrl+n` in the window, which needs the focus for that."""
        def is_focused():
            windows = self.tool("search", "--onlyvisible", "--name", self.title)
            if windows:
                self.tool("windowfocus", windows[-1])
                return self.tool("getwindowfocus") == windows[-1:]
        wait(is_focused)
        self.tool("key", "--clearmodifiers", keys)


def liferea(folder, environment, kind, url):
    """Starts Liferea with a hub as an account of a kind; it loads everything at once. Returns its window and its tables."""
    source, api = LIFEREA_KINDS[kind]
    (folder / ".config/liferea").mkdir(parents=True)
    words = " ".join(f"{name}={quoteattr(value)}" for name, value in [
        ("title", "hub"), ("text", "hub"), ("type", "source"), ("id", "aaaaaaa"), ("sourceType", source),
        ("xmlUrl", printed(ADDRESSES[api], url)), ("username", "ann"), ("password", PASSWORD)])
    (folder / ".config/liferea/feedlist.opml").write_text(
        f'<?xml version="1.0"?>\n<opml version="1.0"><head/><body><outline {words}/></body></opml>\n')
    environment = environment | {
        "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config"), "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": str(folder / "cache")}
    window = Window(["dbus-run-session", "--", "liferea"], environment, "Liferea", folder / "output")
    return window, Tables(lambda: next((folder / "data").rglob("liferea.db"), None))


class Tables:
    """The tables of a reader."""

    def __init__(self, path):
        self.path = path

    def rows(self, query, *values):
        """The rows of a query; none as long as there are no tables."""
        path = self.path()
        if not path:
            return []
        try:
            with contextlib.closing(sqlite3.connect(path, timeout=60)) as tables, tables:
                return tables.execute(query, values).fetchall()
        except sqlite3.OperationalError:
            return []

    def count(self, query, *values):
        """The number that a query counts; 0 as long as there are no tables."""
        return (self.rows(query, *values) or [(0,)])[0][0]


class Guard:
    """RSS Guard with an account of a kind at a hub, as its own dialog would store it; it loads everything when it starts."""

    # Keys for what it has in its menus.
    KEYS = {
        "m_actionMarkAllItemsRead": "Ctrl+Alt+Y", "m_actionUpdateAllItems": "Ctrl+Alt+U",
        "m_actionExpandCollapseItem": "Ctrl+Alt+E", "m_actionSelectNextItem": "Ctrl+Alt+J",
        "m_actionSelectNextMessage": "Ctrl+Alt+K", "m_actionSwitchImportanceOfSelectedMessages": "Ctrl+Alt+I"}
    # What it encrypts passwords with; it makes a number if there is none.
    SECRET = 1234567890123

    def __init__(self, folder, environment, kind, url):
        self.folder = folder
        (folder / "data/config").mkdir(parents=True)
        (folder / "data/config/key.private").write_text(str(Guard.SECRET))
        self.environment = environment | {
            "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "XDG_CACHE_HOME": str(folder),
            "QTWEBENGINE_DISABLE_SANDBOX": "1"}
        path = folder / "data/database/database.db"
        self.tables = Tables(lambda: path if path.exists() else None)
        # It makes its tables first.
        with self.window() as window:
            wait(lambda: self.tables.rows("SELECT 1 FROM sqlite_master WHERE name = 'Accounts'"))
            wait(lambda: (folder / "data/config/config.ini").exists())
            wait(lambda: window.tool("search", "--onlyvisible", "--name", window.title))
        account = dict(
            service=GUARD_KINDS[kind], username="ann", password=Guard.encrypted(PASSWORD), batch_size=200,
            download_only_unread=False, intelligent_synchronization=True, url=printed(ADDRESSES["Google Reader"], url))
        with contextlib.closing(sqlite3.connect(path)) as tables, tables:
            tables.execute("INSERT INTO Accounts(id, type, custom_data) VALUES (1, 'greader', ?)", [json.dumps(account)])
        with open(folder / "data/config/config.ini", "a") as settings:
            settings.write("\n[feeds]\nfeeds_update_on_startup=true\nfeeds_update_startup_delay=1\n\n[keyboard]\n")
            settings.writelines(f"{name}={keys}\n" for name, keys in Guard.KEYS.items())

    @staticmethod
    def encrypted(text):
        """A text as SimpleCrypt writes it, without a checksum: version, flags, then bytes with those of the key and the one
        before; the first is random."""
        last, bytes_ = 0, bytearray(b"\3\0")
        for number, byte in enumerate(b"\x55" + text.encode()):
            last ^= byte ^ Guard.SECRET >> 8 * (number % 8) & 255
            bytes_.append(last)
        return base64.b64encode(bytes_).decode()

    def window(self):
        return Window(
            ["rssguard", "--data", self.folder / "data"], self.environment, "RSS Guard", self.folder / "output")
