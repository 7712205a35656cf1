#!/usr/bin/env python3
"""Six users at once through PgBouncer, on the PostgreSQL server of the environment; see with-postgres.sh.

    scripts/with-postgres.sh scripts/pooler.py PROGRAM

With pool_mode = transaction metube-hub refuses to start. With session each user gets their own channels, all the time.
If the pooler changes to transaction while the hub runs, requests may fail, but no answer with status 200 is another
user's or empty. Skips, with a message, without PgBouncer.
"""
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

USERS, CHANNELS, REQUESTS = 6, 10, 40


def main():
    hub = os.path.abspath(sys.argv[1])
    pooler = shutil.which("pgbouncer", path=os.environ["PATH"] + ":/usr/sbin")
    if not pooler:
        print("pooler: skipped: there is no pgbouncer")
        return
    folder = tempfile.mkdtemp(prefix="pooler.")
    os.chmod(folder, 0o755)
    os.environ.update(METUBE_RSS_HOME=folder + "/home", no_proxy="127.0.0.1")
    settings = folder + "/pgbouncer.ini"

    def configure(mode):
        with open(settings, "w") as file:
            file.write(
                f"[databases]\n* = host={os.environ['PGHOST']} port={os.environ['PGPORT']} "
                f"user={os.environ['PGUSER']}\n[pgbouncer]\n"
                f"listen_addr = 127.0.0.1\nlisten_port = 6543\nauth_type = any\npool_mode = {mode}\n"
                "default_pool_size = 40\nunix_socket_dir =\n"
                "ignore_startup_parameters = extra_float_digits,options\n")

    pooled = f"host=127.0.0.1 port=6543 dbname={os.environ['PGDATABASE']} user={os.environ['PGUSER']}"
    direct = f"dbname={os.environ['PGDATABASE']}"
    run = lambda *words, **more: subprocess.run([hub, *words], capture_output=True, text=True, **more)
    configure("transaction")
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    bouncer = subprocess.Popen(as_user + [pooler, "-q", settings], stderr=subprocess.DEVNULL)
    served = None
    try:
        time.sleep(1)
        check(run("migrate", "--database", direct))
        refused = run("serve", "--listen", "127.0.0.1:0", "--wait", "0", "--database", pooled)
        assert refused.returncode == 64 and "pool_mode" in refused.stderr, refused
        configure("session")
        reload(pooler)
        tokens = {}
        for n in range(USERS):
            check(run("user", "add", f"user{n}", "--database", direct, input="correct horse\n"))
            token = run("token", "add", f"user{n}", "t", "--scope", "write", "--database", direct)
            tokens[n] = check(token).stdout.strip()
        served = subprocess.Popen(
            [hub, "serve", "--no-poll", "--listen", "127.0.0.1:0", "--database", pooled], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        url = served.stdout.readline().split()[-1]
        own = {n: {f"UC{n}{k}".ljust(23, "a") + "A" for k in range(CHANNELS)} for n in range(USERS)}
        for n in range(USERS):
            status, _ = request(url + "api/v1/channels", tokens[n], {"channels": sorted(own[n])})
            assert status == 200, status

        def ask(n):
            seen = {}
            for _ in range(REQUESTS):
                status, body = request(url + "api/v1/channels", tokens[n])
                if status == 200:
                    found = {channel["channel"] for channel in body["channels"]}
                    assert found == own[n], f"user{n} got {sorted(found)}"
                seen[status] = seen.get(status, 0) + 1
            return seen

        def round(name):
            with concurrent.futures.ThreadPoolExecutor(USERS) as threads:
                total = {}
                for seen in threads.map(ask, range(USERS)):
                    for status, count in seen.items():
                        total[status] = total.get(status, 0) + count
            print(f"pooler: {name}: {total}")
            return total

        assert set(round("session")) == {200}
        configure("transaction")
        reload(pooler)
        round("transaction, while it runs")
        print("pooler: passed")
    finally:
        for process in (served, bouncer):
            if process:
                process.send_signal(signal.SIGTERM)
                process.wait()
        shutil.rmtree(folder)


def reload(pooler):
    """SIGHUP, by the process's id: runuser passes no signals on."""
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/exe") == pooler:
                words = open(f"/proc/{entry}/cmdline").read()
                if "pooler." in words:
                    os.kill(int(entry), signal.SIGHUP)
        except OSError:
            pass
    time.sleep(1)


def check(outcome):
    assert outcome.returncode == 0, outcome
    return outcome


def request(url, token, body=None):
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body else None
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, None


main()
