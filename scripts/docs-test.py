#!/usr/bin/env python3
"""docs-test.py [--bin FOLDER] [--list] [--keep] [DOCUMENT…]: runs the commands of README.md and of docs/ as they stand.

Each document begins with an empty home folder, in a network of its own (unshare(1)) in which fixture-server replaces
YouTube and the default port of metube-hub is free. Its blocks run one after the other in one bash on a terminal of 90
columns. The language of a block says what is run:

  ```sh        commands; each must succeed
  ```console   `$ COMMAND` and its output, which is compared; `…` stands for any text, alone on a line for any lines

and words after it say how, visible on the site:

  background            runs until the next such block or the end; the test waits until it serves
  input="TEXT"          typed by the reader, such as a password; \\n ends a line
  stdin=FILE            the file that the commands read
  status=N              the exit status of the last command
  needs="PROGRAM NAME"  not run if this build of the program has no such command; needs=PROGRAM, without the program
  not-run="REASON"      not run here
  as=root-vm            run by scripts/vm-checks.sh, as root under systemd

Blocks of other languages (text, ini, …) are not commands. A comment `<!-- docs-test: input NAME FILE -->` gives a file of
the reader, such as an export of another program; `stand-in PROGRAM COMMAND` runs COMMAND in the place of a program that CI
lacks or whose network it lacks; `postgresql` starts PostgreSQL as Debian installs it, under the name db.example, and needs
root. Times are compared by their form alone.

Also checks every link between documents, and that each task of scripts/docs-tasks.txt is answered at most two links from
README.md. The last line is `docs-test: N passed, M failed`.
"""
import argparse, contextlib, fcntl, os, pty, re, select, shutil, signal, socket, struct, subprocess, sys, tempfile, termios, threading, time
import urllib.error, urllib.request
from pathlib import Path

import docs, docs_postgres

ROOT = docs.ROOT
SECONDS = 120
DIRECTIVE = re.compile(r"<!-- docs-test: ([\w-]+) ?(.*?) ?-->")
TIME = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?|\d+ (?:s|min|h|d) ago|just now|in \d+ (?:s|min|h|d)"


class Broken(Exception):
    """A block that does not do what its document says."""


def form(text):
    """A line without what depends on the time: times by their form, blanks as one."""
    return re.sub(r"\s+", " ", re.sub(TIME, "TIME", text)).strip()


def matches(expected, output):
    """Whether lines of output are what a document shows: `…` stands for any text, alone on a line for any lines."""
    if not expected:
        return not output
    if expected[0].strip() == "…":
        return any(matches(expected[1:], output[skipped:]) for skipped in range(len(output) + 1))
    pattern = ".*".join(re.escape(form(part)) for part in re.split("…", expected[0]))
    return bool(output) and re.fullmatch(pattern.replace(r"\ .*", ".*"), form(output[0])) is not None and matches(
        expected[1:], output[1:])


def steps(block):
    """The commands of a block, each with the lines that it shall write, or None if they are not compared."""
    if block.language == "sh":
        return [("\n".join(block.lines), None)]
    found = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif found and not found[-1][1] and (found[-1][0].endswith("\\")):
            found[-1][0] += "\n" + line
        elif not found:
            raise Broken("a console block begins with `$ `")
        else:
            found[-1][1].append(line)
    # Blank lines separate commands.
    return [(command, re.sub(r"\n+$", "", "\n".join(output)).split("\n") if any(output) else None) for command, output in found]


class Shell:
    """A bash on a terminal of 90 columns, which runs commands one after the other and keeps folder and variables."""

    def __init__(self, home, environment):
        self.home, self.text, self.log = home, "", home.parent
        terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 90, 0, 0))
        settings = termios.tcgetattr(inner)
        settings[1] &= ~termios.OPOST
        termios.tcsetattr(inner, termios.TCSANOW, settings)
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-s"], stdin=subprocess.PIPE, stdout=inner, stderr=inner, env=environment,
            cwd=home, pass_fds=[writing], start_new_session=True, text=True)
        os.close(inner)
        os.close(writing)
        self.statuses, self.status_fd, self.terminal = reading, writing, terminal
        self.background = None
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                piece = os.read(self.terminal, 65536)
            except OSError:
                return
            if not piece:
                return
            self.text += piece.decode(errors="replace")

    def send(self, words, seconds=SECONDS):
        """Has bash execute words and write a status; returns the status."""
        self.process.stdin.write(words + f"\necho $? >&{self.status_fd}\n")
        self.process.stdin.flush()
        limit = time.monotonic() + seconds
        while not select.select([self.statuses], [], [], 0.1)[0]:
            if self.process.poll() is not None or time.monotonic() > limit:
                raise Broken(f"ended the shell, or took {seconds} s; its output: {self.text[-2000:]}")
        return int(os.read(self.statuses, 100).split()[0])

    def run(self, command, typed, strict):
        """Runs commands; returns their status and the lines of their output."""
        (self.log / "step").write_text(command + "\n")
        (self.log / "typed").write_text(typed)
        self.text = ""
        begin = "set -e; " if strict else ""
        # A failed command of an sh block must not end the shell.
        status = self.send(f"{begin}. {self.log}/step <{self.log}/typed" if not strict else
                           f"trap 'code=$?; [ $code = 0 ] || echo $code >&{self.status_fd}' EXIT; {begin}"
                           f". {self.log}/step <{self.log}/typed; set +e; trap - EXIT")
        return status, self.output()

    def output(self):
        """What was written, once the terminal has passed it on."""
        marker = f"end-{time.monotonic_ns()}"
        try:
            self.send(f"printf '\\n%s\\n' {marker}")
            limit = time.monotonic() + 10
        except (Broken, OSError):
            # A failed command of an sh block ended the shell.
            limit = time.monotonic() + 1
        while marker not in self.text and time.monotonic() < limit:
            time.sleep(0.005)
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.text.split(marker)[0])
        # A carriage return begins the line of progress anew.
        lines = [line.rstrip("\r").split("\r")[-1] for line in text.replace(str(self.home), "/home/ann").split("\n")]
        while lines and not lines[-1].strip():
            lines.pop()
        return lines

    def start(self, command):
        """Starts commands in the background, in place of those before, and waits until the hub serves."""
        self.stop()
        (self.log / "background").write_text(command + "\n")
        log = self.log / "background.log"
        self.send(f"set -m; ( . {self.log}/background </dev/null >{self.log}/background.log 2>&1 {self.status_fd}>&- ) & set +m; echo $! >{self.log}/pid")
        self.background = int((self.log / "pid").read_text())
        limit = time.monotonic() + 60
        while not serves():
            if time.monotonic() > limit or subprocess.run(["kill", "-0", str(self.background)], stderr=subprocess.DEVNULL).returncode:
                raise Broken(f"does not serve; its output: {log.read_text()}")
            time.sleep(0.05)
        return log.read_text().splitlines()

    def stop(self):
        if self.background:
            self.send(f"kill -TERM -- -{self.background}; wait {self.background}")
            self.background = None

    def end(self):
        try:
            self.stop()
            self.process.stdin.close()
            self.process.wait(30)
        except (Broken, OSError, subprocess.TimeoutExpired):
            for group in (self.process.pid, self.background):
                with contextlib.suppress(ProcessLookupError, TypeError):
                    os.killpg(group, signal.SIGKILL)
            self.process.wait()
        os.close(self.terminal)


def serves():
    try:
        urllib.request.urlopen("http://127.0.0.1:5057/health", timeout=5)
        return True
    except urllib.error.HTTPError as error:
        return error.code == 503
    except OSError:
        return False


def execute(shell, block):
    """Runs a block; throws Broken if a command fails or writes something else."""
    typed = block.attributes.get("input", "").replace("\\n", "\n")
    typed += "\n" if typed else ""
    if file := block.attributes.get("stdin"):
        typed = (shell.home / file).read_text()
    if "background" in block.attributes:
        for command, expected in steps(block):
            if block.attributes.get("needs") == "metube-hub demo":
                # A build has no samples beside it, as an installation has.
                shutil.copytree(ROOT / "Fixtures/feeds/channels", shell.log / "demo/channels", dirs_exist_ok=True)
                shutil.copy(ROOT / "feeds.opml", shell.log / "demo")
                command = f"export METUBE_RSS_DEMO={shell.log}/demo\n{command}"
            output = shell.start(command)
            if expected and not matches([*expected, "…"], output):
                raise Broken("writes\n" + "\n".join(output))
        return
    todo = steps(block)
    for number, (command, expected) in enumerate(todo, 1):
        status, output = shell.run(command, typed, strict=block.language == "sh" and "status" not in block.attributes)
        wanted = int(block.attributes.get("status", 0)) if number == len(todo) else 0
        if status != wanted:
            raise Broken(f"`{command}` ended with {status}, not {wanted}:\n" + "\n".join(output[-20:]))
        if expected is not None and not matches(expected, output):
            raise Broken(f"`{command}` shall write\n" + "\n".join(expected) + "\nand writes\n" + "\n".join(output))


def run_document(path, blocks, options):
    """Runs blocks of a document from an empty home; returns how many ran."""
    with contextlib.ExitStack() as stack:
        folder = tempfile.mkdtemp(prefix="docs-test-")
        if not options.keep:
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
        home = Path(folder) / "home"
        home.mkdir()
        bin = Path(folder) / "bin"
        bin.mkdir()
        for kind, rest in DIRECTIVE.findall(docs.text(path)):
            name, _, value = rest.partition(" ")
            if kind == "input":
                shutil.copy(ROOT / value, home / name)
            elif kind == "stand-in":
                (bin / name).write_text(f"#!/bin/sh\nexec {value}\n")
                (bin / name).chmod(0o755)
            elif kind == "postgresql":
                docs_postgres.start(Path(folder), stack)
        port = Path(folder) / "port"
        server = subprocess.Popen(
            [options.bin / "fixture-server", ROOT / "Fixtures/feeds/channels", "--port-file", port, "--exit-after", "900"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (port.exists() and port.read_text().strip()):
            if server.poll() is not None:
                raise Broken("fixture-server does not start")
            time.sleep(0.02)
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("METUBE_", "XDG_", "PG", "http", "HTTP")) and name not in ("LS_COLORS", "PAGER")}
        environment = kept | {
            "HOME": str(home), "PATH": f"{bin}:{options.bin}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "TZ": "UTC",
            "NO_COLOR": "1", "TERM": "xterm", "METUBE_RSS_PAGER": "cat", "no_proxy": "*",
            "METUBE_RSS_FEEDS_URL": f"http://127.0.0.1:{port.read_text().strip()}"}
        shell, count = Shell(home, environment), 0
        try:
            for block in blocks:
                try:
                    execute(shell, block)
                except (Broken, OSError) as broken:
                    raise Broken(f"{path}:{block.line}: {broken}") from None
                count += 1
        finally:
            shell.end()
            server.kill()
            server.wait()
        return count


def problems_of_form(path):
    """Blocks without a language, and commands that stand in an indented block, which nothing runs."""
    found = [f"{path}:{block.line}: a block has no language; use sh, console, text or another one"
             for block in docs.blocks(path) if not block.language]
    before = ""
    for number, line in docs.prose(path):
        if re.match(r"    \S", line) and not before.strip() and not path.startswith("docs/decisions"):
            found.append(f"{path}:{number}: an indented block; use a fenced one")
        before = line if not re.match(r"    ", line) else "x"
    return found


def tasks():
    """The tasks of scripts/docs-tasks.txt with the place of their answer."""
    lines = (ROOT / "scripts/docs-tasks.txt").read_text().splitlines()
    return [line.split(" -> ") for line in lines if line and not line.startswith("#")]


def isolate(arguments):
    """Starts this script again in a network of its own, or ends with words if the system does not allow that."""
    words = ["unshare", "--net", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
    if not shutil.which("unshare") or subprocess.run([*words, "true"], stderr=subprocess.DEVNULL).returncode:
        print("docs-test: skipped: this system does not allow a network of its own (unshare)")
        sys.exit(0)
    os.execvp("unshare", [*words, sys.executable, __file__, "--inside", *arguments])


def without_missing_commands(paths, folder):
    """The blocks of the documents by path; those that need a command which this build lacks get that as their reason."""
    found, helps = {path: docs.blocks(path) for path in paths}, {}
    for block in (block for blocks in found.values() for block in blocks):
        if needed := block.attributes.get("needs"):
            program, _, name = needed.partition(" ")
            if not name:
                if not shutil.which(program):
                    block.attributes["not-run"] = f"there is no {program}"
                continue
            if program not in helps:
                helps[program] = subprocess.run([folder / program, "--help"], capture_output=True, text=True).stdout
            if f"\n  {name} " not in helps[program]:
                block.attributes["not-run"] = f"this build has no {needed}"
    for path in paths:
        if "<!-- docs-test: postgresql -->" in docs.text(path) and (reason := docs_postgres.missing()):
            for block in found[path]:
                block.attributes.setdefault("not-run", reason)
    return found


def raise_loopback():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        # SIOCSIFFLAGS with IFF_UP.
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, default=ROOT / ".build/release")
    parser.add_argument("--list", action="store_true", help="list the blocks that are not run, and end")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the documents")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("documents", nargs="*")
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    paths = options.documents or [path for path in docs.documents() if path != "CHANGELOG.md"]
    if not options.list and not options.inside:
        isolate(sys.argv[1:])
    blocks = without_missing_commands(paths, options.bin)
    skipped = [block for path in paths for block in blocks[path] if block.is_run and block.reason]
    passed, failures = 0, []
    if not options.list:
        raise_loopback()
        passed, failures = check(paths, blocks, options)
    print("\nNot run here:")
    for block in skipped:
        print(f"  {block.path}:{block.line}: {block.reason}")
    for failure in failures:
        print(f"\nFAIL {failure}")
    print(f"docs-test: {passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


def check(paths, blocks, options):
    """Checks forms, links and tasks, and runs each document; returns what passed, and the failures."""
    failures = [problem for path in paths for problem in problems_of_form(path)] + docs.broken_links()
    passed = 0
    for task, target in tasks():
        way = docs.clicks(target)
        if way is None or target.partition("#")[2] not in docs.anchors(target.partition("#")[0]):
            failures.append(f"scripts/docs-tasks.txt: “{task}” is not answered by {target} within two links from README.md")
        else:
            passed += 1
            print(f"{task}: {' > '.join(['README.md', *way])}")
    for path in paths:
        begin = time.monotonic()
        try:
            todo = [block for block in blocks[path] if block.is_run and not block.reason]
            count = run_document(path, todo, options) if todo else 0
        except Broken as broken:
            failures.append(str(broken))
            print(f"{path}: failed")
        else:
            if count:
                passed += 1
                print(f"{path}: {count} blocks in {time.monotonic() - begin:.0f} s", flush=True)
    return passed, failures


if __name__ == "__main__":
    main()
