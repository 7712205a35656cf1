"""Numbers, limits, notifications and accounts."""

import unittest

from database import DatabaseTestCase, Failure


class NumberTests(DatabaseTestCase):
    def setUp(self):
        super().setUp()
        self.sql("INSERT INTO owner(n, device) VALUES (1, 'ofannhub'), (2, 'ofbobhub')")

    def assign(self, *keys, owner=1, kind=1, beyond=0, on=None):
        quoted = ",".join(f"'{key}'" for key in keys)
        rows = (on or self.sql).rows(f"SELECT * FROM assign_numbers({owner}, {kind}, ARRAY[{quoted}]::text[], {beyond})")
        return [(row[0], int(row[1])) for row in rows if row != [""]]

    def test_keys_get_consecutive_numbers_in_their_order_and_keep_them(self):
        self.assertEqual(self.assign("b", "a", "b"), [("b", 1), ("a", 2), ("b", 1)])
        self.assertEqual(self.assign("c", "a"), [("c", 3), ("a", 2)])
        self.assertEqual(self.assign(), [])
        self.assertEqual(self.assign("a", kind=2), [("a", 4)])
        self.assertEqual(self.assign("a", owner=2), [("a", 1)])

    def test_numbers_go_on_above_those_of_a_later_time(self):
        self.assertEqual(self.assign("a"), [("a", 1)])
        self.assertEqual(self.assign("b", beyond=1000), [("b", 1001)])
        self.assertEqual(self.assign("c", beyond=500), [("c", 1002)])

    def test_numbers_are_never_used_again(self):
        self.assign("a", "b")
        self.sql("DELETE FROM number WHERE key = 'b'")
        self.assertEqual(self.assign("c"), [("c", 3)])

    def test_numbers_stay_below_2_to_the_31st(self):
        self.sql("INSERT INTO number_counter(owner, last) VALUES (1, 2147483646)")
        self.assertEqual(self.assign("a"), [("a", 2147483647)])
        with self.assertRaises(Failure) as failure:
            self.assign("b")
        self.assertIn("22003", str(failure.exception))
        self.assertEqual(self.assign("a"), [("a", 2147483647)])

    def test_numbers_assigned_at_once_are_unique(self):
        found = []

        def assign(connection):
            for turn in range(30):
                found.extend(self.assign(f"k{turn}", f"k{turn + 1}", on=connection))

        self.at_once(assign, assign, assign, assign)
        self.assertEqual(len(set(found)), 31)
        self.assertEqual(sorted({number for _, number in found}), list(range(1, 32)))

    def test_a_transaction_that_is_undone_assigns_nothing(self):
        other = self.connect()
        other("BEGIN")
        self.assign("a", on=other)
        other("ROLLBACK")
        self.assertEqual(self.assign("b"), [("b", 1)])


class HubTests(DatabaseTestCase):
    def test_attempts_are_limited_for_all_processes_together(self):
        answers = []

        def attempt(connection):
            for _ in range(5):
                answers.append(connection("SELECT count_attempt('login ann', 1, 8, 1000)"))

        self.at_once(attempt, attempt)
        self.assertEqual(sorted(answers), [""] * 8 + ["60"] * 2)
        self.assertEqual(self.sql("SELECT count_attempt('login ann', 1, 8, 1059)"), "1")
        self.assertEqual(self.sql("SELECT count_attempt('login bob', 1, 8, 1059)"), "")
        self.assertEqual(self.sql("SELECT count_attempt('login ann', 1, 8, 1060)"), "")
        # The clock was set back.
        self.assertEqual(self.sql("SELECT count_attempt('login ann', 1, 0, 10)"), "60")

    def test_attempts_that_are_over_are_forgotten(self):
        for key in range(20):
            self.sql(f"SELECT count_attempt('k{key}', 1, 5, {1000 + 61 * key})")
        self.assertLessEqual(int(self.sql("SELECT count(*) FROM attempt")), 2)

    def test_requests_for_older_videos_are_limited_for_each_user_in_24_hours(self):
        self.sql("INSERT INTO owner(n, device) VALUES (1, 'ofannhub'), (2, 'ofbobhub')")
        count = "SELECT count_older_request(%d, 3, %d)"
        answers = []

        def request(connection):
            for _ in range(3):
                answers.append(connection(count % (1, 1000)))

        self.at_once(request, request)
        self.assertEqual(sorted(answers), [""] * 3 + ["86400"] * 3)
        self.assertEqual(self.sql(count % (2, 1000)), "")
        self.assertEqual(self.sql(count % (2, 5000)), "")
        self.assertEqual(self.sql(count % (2, 6000)), "")
        self.assertEqual(self.sql(count % (2, 87399)), "1")
        self.assertEqual(self.sql(count % (2, 87400)), "")
        self.assertEqual(self.sql(count % (2, 87400)), "4000", "of any 24 hours, not of a day that begins anew")

    def test_a_request_for_older_videos_can_be_forgotten_and_ends_with_its_owner(self):
        self.sql("INSERT INTO owner(n, device) VALUES (1, 'ofannhub')")
        count = "SELECT count_older_request(1, 2, %d)"
        self.sql("SELECT forget_older_request(1)")
        self.assertEqual([self.sql(count % 1000), self.sql(count % 2000), self.sql(count % 2001)], ["", "", "85399"])
        self.sql("SELECT forget_older_request(1)")
        self.assertEqual([self.sql(count % 3000), self.sql(count % 3001)], ["", "84399"])
        # The clock was set back by more than a minute.
        self.assertEqual(self.sql(count % 10), "")
        self.sql("DELETE FROM owner WHERE n = 1")
        self.assertEqual(self.sql("SELECT count(*) FROM older_request"), "0")

    def test_listeners_hear_which_logs_grew_after_the_commit(self):
        listener = self.connect()
        listener("LISTEN metube_log")
        other = self.connect()
        other("BEGIN; SELECT notify_owners('{1,7}')")
        self.assertEqual(listener("SELECT 1"), "1")
        other("COMMIT")
        heard = listener("SELECT pg_sleep(0)") + listener("SELECT 2")
        self.assertRegex(heard, r'(?s)"metube_log" with payload "1".*"metube_log" with payload "7"')

    def test_without_a_user_the_log_stays(self):
        self.sql("INSERT INTO \"user\" VALUES ('ann', 'hash', 0)")
        self.sql("INSERT INTO owner(n, name, device) VALUES (1, 'ann', 'ofannhub')")
        self.sql("INSERT INTO token(\"user\", name, digest, scope, created) VALUES ('ann', 't', '\\x01', 'read', 0)")
        self.sql("INSERT INTO session(id, \"user\", digest, ends) VALUES ('s', 'ann', '\\x01', 9)")
        self.sql("INSERT INTO pairing VALUES ('\\x01', 'ann', 9)")
        self.sql("DELETE FROM \"user\" WHERE name = 'ann'")
        self.assertEqual(
            self.sql("SELECT (SELECT count(*) FROM token) + (SELECT count(*) FROM session) + (SELECT count(*) FROM pairing)"), "0")
        self.assertEqual(self.sql("SELECT n, name IS NULL FROM owner"), "1|t")


if __name__ == "__main__":
    unittest.main()
