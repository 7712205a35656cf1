"""A PostgreSQL server as Debian installs it, under the name db.example, for the documents that docs-test.py runs."""
import os, shutil, subprocess
from pathlib import Path

SUDO = '#!/bin/sh\nif [ "$1" = -u ]; then user=$2; shift 2; exec runuser -u "$user" -- "$@"; fi\nexec "$@"\n'


def binaries():
    """The folder of the newest server's programs, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    return found[-1] if found else None


def missing():
    """Why no server can be started, or None."""
    if os.geteuid() != 0 or Path("/proc/self/uid_map").read_text().split()[:2] != ["0", "0"]:
        return "needs root, for PostgreSQL's own user"
    return None if binaries() else "PostgreSQL is not installed; scripts/with-postgres.sh installs it"


def start(folder, stack):
    """Starts a server in a folder: on the socket of Debian's packages, and by TCP with passwords. Stops it with the stack.

    In the mount namespace of the test, /etc/hosts and /var/run/postgresql are its own. The folder `bin` gets a sudo(8) that
    knows -u alone.
    """
    place, sockets = folder / "postgres", folder / "sockets"
    for path in (place, sockets, folder / "bin"):
        path.mkdir(exist_ok=True)
    folder.chmod(0o755)
    for path in (place, sockets):
        shutil.chown(path, "postgres")
    Path("/var/run/postgresql").mkdir(exist_ok=True)
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost db.example\n")
    for source, target in ((sockets, "/var/run/postgresql"), (hosts, "/etc/hosts")):
        subprocess.run(["mount", "--bind", source, target], check=True)
        stack.callback(subprocess.run, ["umount", target], check=True)
    sudo = folder / "bin/sudo"
    sudo.write_text(SUDO)
    sudo.chmod(0o755)

    def run(name, *words):
        subprocess.run(["runuser", "-u", "postgres", "--", binaries() / name, *words], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    run("initdb", "-D", place / "data", "-A", "scram-sha-256", "--auth-local", "trust", "-E", "UTF8", "--locale=C",
        "--no-sync")
    run("pg_ctl", "start", "-s", "-w", "-D", place / "data", "-l", place / "log", "-o",
        "-c listen_addresses=127.0.0.1 -c unix_socket_directories=/var/run/postgresql -c fsync=off")
    stack.callback(run, "pg_ctl", "stop", "-s", "-m", "fast", "-D", place / "data")
