"""The queries of docs/many.md, "What to watch", as a role whose search path is not the hub's schema."""

import pathlib
import re
import unittest

from database import DatabaseTestCase, Failure

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "many.md"


class WatchTests(DatabaseTestCase):
    def test_every_query_runs_after_the_printed_line(self):
        section = DOCUMENT.read_text().split("\n## What to watch\n")[1].split("\n## ")[0]
        queries = re.findall(r"`(SELECT [^`]+)`", section)
        self.assertGreater(len(queries), 9)
        line = re.search(r"`(SET search_path TO \w+)`", section).group(1)
        self.sql("ALTER SCHEMA public RENAME TO metube")
        with self.assertRaises(Failure):
            self.connect()("SELECT * FROM poll_pause")
        connection = self.connect()
        connection(line)
        for query in queries:
            with self.subTest(query):
                connection(query)


if __name__ == "__main__":
    unittest.main()
