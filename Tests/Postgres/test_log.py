"""The log: lines as they are in files, each event once, and a cursor that skips nothing."""

import unittest

from database import DatabaseTestCase, Failure


def append(owner, *events, log="aaaaaaaa", at="NULL", device=None, generation=1):
    """The call that appends a line for each number of an event."""
    lines = [b"{%d}\n" % event for event in events]
    ids = "".join("%032x" % event for event in events)
    lengths = ",".join(str(len(line)) for line in lines)
    return (
        f"SELECT append_lines({owner}, '{log}', '{device or log}', {generation}, {at},"
        f" '\\x{b''.join(lines).hex()}', '{{{lengths}}}', '\\x{ids}')")


def after(owner, number):
    return (
        "SELECT number, convert_from(bytes, 'UTF8') FROM log_line"
        f" WHERE owner = {owner} AND number > {number} ORDER BY number")


class LogTests(DatabaseTestCase):
    def setUp(self):
        super().setUp()
        self.sql("INSERT INTO \"user\" VALUES ('ann', '', 0), ('bob', '', 0)")
        self.sql("INSERT INTO owner(n, name, device) VALUES (0, NULL, 'catalogu'), (1, 'ann', 'ofannhub'), (2, 'bob', 'ofbobhub')")

    def lines(self, owner):
        return [line for line in self.sql(after(owner, 0)).splitlines() if line]

    def test_an_older_transaction_that_commits_later_is_never_skipped(self):
        older, newer, reader = self.connect(), self.connect(), self.connect()
        older(f"BEGIN; {append(1, 11)}")
        newer.start(append(1, 12))
        self.wait_until_blocked(newer)
        self.assertEqual(reader(after(1, 0)), "")
        older("COMMIT")
        newer.finish()
        self.assertEqual([row[0] for row in reader.rows(after(1, 0)) if row != [""]], ["1", "2"])
        self.assertEqual(self.lines(1), ["1|{11}", "2|{12}"])

    def test_a_transaction_that_is_undone_leaves_no_gap(self):
        older, newer = self.connect(), self.connect()
        older(f"BEGIN; {append(1, 11, 12)}")
        newer.start(append(1, 13))
        self.wait_until_blocked(newer)
        older("ROLLBACK")
        newer.finish()
        self.assertEqual(self.lines(1), ["1|{13}"])
        self.assertEqual(self.sql("SELECT length FROM log"), "5")

    def test_owners_do_not_wait_for_each_other(self):
        other = self.connect()
        other(f"BEGIN; {append(1, 11)}")
        self.assertEqual(self.sql(append(2, 12)), "1")
        other("COMMIT")

    def test_a_decision_is_made_alone(self):
        one, other = self.connect(), self.connect()
        self.assertEqual(one("BEGIN; SELECT lock_owner(1)"), "0")
        other.start("SELECT lock_owner(1)")
        self.wait_until_blocked(other)
        one(append(1, 11, 12))
        one("COMMIT")
        self.assertEqual(other.finish(), "2")

    def test_a_reader_who_follows_writers_reads_every_line_once_in_order(self):
        writers, each = 4, 40
        seen = []

        def write(writer):
            def body(connection):
                for turn in range(each):
                    connection(append(1, 1000 * (writer + 1) + turn, log=f"writer{writer:02}"))
            return body

        def read(connection):
            last = 0
            while len(seen) < writers * each:
                for row in connection.rows(after(1, last)):
                    if row != [""]:
                        last = int(row[0])
                        seen.append(row)

        self.at_once(read, *[write(writer) for writer in range(writers)])
        self.assertEqual([int(row[0]) for row in seen], list(range(1, writers * each + 1)))
        self.assertEqual(len({row[1] for row in seen}), writers * each)

    def test_logs_are_byte_for_byte_what_was_appended(self):
        self.sql(append(1, 11, 12))
        self.sql(append(1, 13, log="bbbbbbbb"))
        self.sql(append(1, 14, at=10))
        self.assertEqual(
            self.sql("SELECT name, length, convert_from(string_agg(bytes, '' ORDER BY start), 'UTF8') FROM log"
                     " JOIN log_line ON log = n GROUP BY n ORDER BY n"),
            "aaaaaaaa|15|{11}\n{12}\n{14}\n\nbbbbbbbb|5|{13}\n")
        for byte in range(5, 10):
            self.assertEqual(self.sql(f"SELECT start FROM line_at(1, {byte})"), "5")

    def test_an_event_in_two_logs_counts_once_and_both_stay_whole(self):
        self.sql(append(1, 11, 12))
        self.sql(append(1, 11, 12, 13, log="aaaaaaaa.fork", device="aaaaaaaa"))
        self.sql(append(1, 14, 14))
        self.assertEqual(self.sql("SELECT count(*), count(id) FROM log_line"), "7|4")
        self.sql(append(2, 11))
        self.assertEqual(self.sql("SELECT count(id) FROM log_line WHERE owner = 2"), "1")

    def test_lines_are_taken_only_where_the_log_ends(self):
        self.sql(append(1, 11))
        for call in [
            append(1, 12, at=0), append(1, 12, at=4), append(1, 12, generation=2), append(1, 12, device="cccccccc"),
            append(1, 12, log="bbbbbbbb", at=5),
        ]:
            self.assertEqual(self.sql(call), "")
        self.assertEqual(self.lines(1), ["1|{11}"])
        self.assertEqual(self.sql("SELECT lines FROM owner WHERE n = 1"), "1")

    def test_malformed_batches_are_refused(self):
        for lengths, ids in [("{4}", "00" * 16), ("{5}", "00" * 15), ("{5,1}", "00" * 16)]:
            with self.assertRaises(Failure):
                self.sql(f"SELECT append_lines(1, 'a', 'a', 1, 0, '\\x{b'{11}~'.hex()}', '{lengths}', '\\x{ids}')")
        with self.assertRaises(Failure):
            self.sql(append(9, 11))
        self.assertEqual(self.sql("SELECT lines FROM owner WHERE n = 1"), "0")

    def test_a_connection_that_dies_appends_nothing_and_holds_up_nobody(self):
        other = self.connect()
        other(f"BEGIN; {append(1, 11)}")
        self.connections.remove(other)
        other.kill()
        self.assertEqual(self.sql(append(1, 12)), "1")

    def test_the_era_names_the_cluster_and_its_timeline(self):
        self.assertRegex(self.sql("SELECT era()"), r"^\d+-00000001$")
        self.sql("CREATE ROLE plain_" + self.name)
        self.assertRegex(self.sql(f"SET ROLE plain_{self.name}; SELECT era()"), r"^\d+-00000001$")
        self.sql(f"RESET ROLE; DROP ROLE plain_{self.name}")


if __name__ == "__main__":
    unittest.main()
