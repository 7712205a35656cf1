"""A server that crashes under load: what was acknowledged is there, once, and claims hold."""

import itertools
import os
import pathlib
import subprocess
import threading
import time
import unittest

from database import PATIENCE, Connection, DatabaseTestCase, Failure
from test_log import append
from test_polling import NOW


def restart_after_crash():
    """Ends every process of the server at once, as a crash does, and starts it again."""
    data = os.environ["POSTGRES_DATA"]
    owner = pathlib.Path(data).parent.owner()
    as_owner = ["runuser", "-u", owner, "--"] if os.geteuid() == 0 else []
    subprocess.run(
        [*as_owner, "env", f"PATH={os.environ['PATH']}", "pg_ctl", "restart", "-s", "-w", "-m", "immediate", "-D", data,
         "-l", os.environ["POSTGRES_LOG"]], check=True, cwd="/", stdin=subprocess.DEVNULL)


class CrashTests(DatabaseTestCase):
    def test_what_was_acknowledged_survives_a_crash_under_load(self):
        self.sql("INSERT INTO owner(n, device) VALUES (0, 'catalogu')")
        self.sql(f"SELECT want_channels({NOW}, array_agg('UC' || n)) FROM generate_series(1, 100000) AS n")
        acknowledged, claimed = [], []
        events = itertools.count(1, 2)

        def write(writer):
            connection = Connection(self.name)
            try:
                for event in events:
                    number = connection(append(0, event, event + 1, log=f"writer{writer:02}"))
                    # psql goes on after the server's last words until it notices that the connection is closed.
                    if not number.isdigit():
                        raise Failure(number)
                    acknowledged.append(event)
            except (Failure, BrokenPipeError):
                connection.kill()

        def poll(poller):
            connection = Connection(self.name)
            try:
                while True:
                    feeds = connection(f"SELECT subscription FROM claim_channels({NOW}, {poller}, '', 5, 60)").split()
                    if not all(feed.startswith("UC") for feed in feeds):
                        raise Failure(" ".join(feeds))
                    claimed.extend(feeds)
            except (Failure, BrokenPipeError):
                connection.kill()

        for _ in range(3):
            before = len(acknowledged), len(claimed)
            threads = [threading.Thread(target=write, args=(writer,)) for writer in range(3)]
            threads += [threading.Thread(target=poll, args=(poller,)) for poller in (1, 2)]
            for thread in threads:
                thread.start()
            deadline = time.monotonic() + PATIENCE
            while len(acknowledged) < before[0] + 40 or len(claimed) < before[1] + 40:
                self.assertLess(time.monotonic(), deadline, "nothing is acknowledged")
                time.sleep(0.01)
            restart_after_crash()
            for thread in threads:
                thread.join()
            sql = self.connect()
            known = {int(event) for event in sql("SELECT btrim(convert_from(bytes, 'UTF8'), E'{}\\n') FROM log_line").split()}
            self.assertEqual([event for event in acknowledged if not {event, event + 1} <= known], [])
            self.assertEqual(
                sql("SELECT count(*), count(id), count(DISTINCT id), max(number) FROM log_line"),
                "|".join([str(len(known))] * 4))
            self.assertEqual(sql("SELECT lines FROM owner"), str(len(known)))
            self.assertEqual(
                sql("SELECT count(*) FROM log WHERE length <> (SELECT sum(octet_length(bytes)) FROM log_line WHERE log = n)"),
                "0")
        self.assertEqual(len(claimed), len(set(claimed)))
        self.assertEqual(
            sql(f"SELECT count(*) FROM poll_channel WHERE due <= {NOW + 959}"
                f" AND subscription = ANY('{{{','.join(claimed)}}}')"), "0")


if __name__ == "__main__":
    unittest.main()
