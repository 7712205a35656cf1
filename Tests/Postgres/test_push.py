"""Subscriptions at WebSub hubs: who renews them, which there are, and what polls know of them."""

import unittest

from database import DatabaseTestCase


class PushTests(DatabaseTestCase):
    def keep(self, process, on=None):
        return (on or self.sql)(f"SELECT keep_pushes('{process}', 60)") == "t"

    def subscribe(self, channel, lease_end="NULL"):
        self.sql(
            "INSERT INTO push(channel, callback, secret, hub, topic, sent, retry, failures, lease_end)"
            f" VALUES ('{channel}', 'callback of {channel}', 's', 'h', 't', 0, 0, 0, {lease_end})")

    def test_one_process_renews_leases_until_it_is_not_heard_of(self):
        self.assertTrue(self.keep("a"))
        self.assertFalse(self.keep("b"))
        self.assertTrue(self.keep("a"))
        self.sql("UPDATE push_keeper SET until = unix_time()")
        self.assertTrue(self.keep("b"))
        self.assertFalse(self.keep("a"))

    def test_of_processes_that_try_at_once_one_renews_leases(self):
        kept = []
        self.at_once(*[
            lambda connection, name=name: kept.extend(self.keep(name, connection) for _ in range(20)) for name in "abcd"])
        self.assertEqual(sum(kept), 20)

    def test_polls_rely_on_leases_only_while_a_process_receives_pushes(self):
        self.subscribe("UC1", "unix_time() + 100")
        self.subscribe("UC2", "unix_time() - 1")
        self.subscribe("UC3")
        query = "SELECT subscription FROM pushed_channels('{UC1,UC2,UC3,UC4}')"
        self.assertEqual(self.sql(query), "")
        self.keep("a")
        self.assertEqual(self.sql(query), "UC1")
        self.sql("UPDATE push_keeper SET until = unix_time() - 3590")
        self.assertEqual(self.sql(query), "UC1")
        self.sql("UPDATE push_keeper SET until = unix_time() - 3601")
        self.assertEqual(self.sql(query), "")

    def test_candidates_are_followed_channels_and_subscriptions_in_order(self):
        self.sql("INSERT INTO \"user\"(name, hash, created) VALUES ('ann', '', 0)")
        self.sql("INSERT INTO owner(n, name, device) VALUES (1, 'ann', 'a'), (2, NULL, 'b')")
        self.sql(
            "INSERT INTO wanted VALUES (1, 'UCa', true), (1, 'UCc', true), (1, 'PLa', true), (1, '@name', true),"
            " (1, 'UCd', false), (2, 'UCe', true)")
        self.sql("UPDATE poll_channel SET hub = 'h', topic = 't' WHERE subscription = 'UCc'")
        self.subscribe("UCb")
        self.subscribe("UCc")

        def candidates(after, most):
            return self.sql.rows(f"SELECT * FROM push_candidates('{after}', {most})")

        # Whom the user was that follows UCe nobody knows any more.
        everything = [["UCa", "t", "", ""], ["UCb", "f", "", ""], ["UCc", "t", "h", "t"], ["UCe", "f", "", ""]]
        self.assertEqual(candidates("", 10), everything)
        self.assertEqual(candidates("", 2), everything[:2])
        self.assertEqual(candidates("UCb", 2), everything[2:])
        self.assertEqual(candidates("UCe", 2), [])


if __name__ == "__main__":
    unittest.main()
