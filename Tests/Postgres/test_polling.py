"""Claims, pace and pauses: no feed twice within 15 minutes, whatever happens to pollers."""

import random
import unittest

from database import DatabaseTestCase, Failure

NOW = 1_800_000_000


class PollingTests(DatabaseTestCase):
    def follow(self, count, at=NOW):
        self.sql(f"SELECT want_channels({at}, array_agg('UC' || n)) FROM generate_series(1, {count}) AS n")

    def claim(self, poller=1, at=NOW, most=10, lease=60, address="''", on=None):
        rows = (on or self.sql)(
            f"SELECT subscription FROM claim_channels({at}, {poller}, {address}, {most}, {lease}) ORDER BY 1")
        return rows.split()

    def finish(self, subscription, requested, due, poller=1):
        return self.sql(
            f"SELECT finish_channels({poller}, '[{{\"subscription\": \"{subscription}\", \"requested\": {requested},"
            f" \"answered\": {requested}, \"last_answer\": \"200\", \"due\": {due}}}]')")

    def test_pollers_claim_different_feeds_without_waiting(self):
        self.follow(10)
        one, other = self.connect(), self.connect()
        one("BEGIN")
        first = self.claim(1, most=6, on=one)
        second = self.claim(2, most=6, on=other)
        one("COMMIT")
        self.assertEqual((len(first), len(second)), (6, 4))
        self.assertEqual(len(set(first + second)), 10)
        self.assertEqual(self.claim(3), [])

    def test_claims_at_once_share_all_feeds(self):
        self.follow(300)
        claimed = []

        def poll(poller):
            def body(connection):
                while found := self.claim(poller, most=7, on=connection):
                    claimed.extend(found)
            return body

        self.at_once(*[poll(poller) for poller in range(1, 5)])
        self.assertEqual(len(claimed), 300)
        self.assertEqual(len(set(claimed)), 300)

    def import_as(self, owner, first, last, at=NOW):
        """Lets a user follow a list, as an import does."""
        self.sql(f"INSERT INTO wanted SELECT {owner}, 'UC' || n, true FROM generate_series({first}, {last}) AS n")
        self.sql(f"UPDATE poll_channel SET due = {at} WHERE subscription IN"
                 f" (SELECT 'UC' || n FROM generate_series({first}, {last}) AS n)")

    def test_users_take_turns(self):
        self.import_as(1, 1, 20_000)
        self.import_as(2, 30_001, 30_005, at=NOW + 5)
        self.import_as(3, 40_001, 40_002, at=NOW + 6)
        claimed = self.claim(at=NOW + 10, most=12)
        self.assertEqual(sum(int(feed[2:]) > 30_000 for feed in claimed), 7)
        # The others have nothing left.
        self.assertEqual(len(self.claim(2, at=NOW + 10, most=12)), 12)

    def test_claims_at_once_share_all_feeds_of_several_users(self):
        for owner in range(1, 6):
            self.import_as(owner, owner * 1000, owner * 1000 + 59)
        claimed = []

        def poll(poller):
            def body(connection):
                while found := self.claim(poller, most=7, on=connection):
                    claimed.extend(found)
            return body

        self.at_once(*[poll(poller) for poller in range(1, 5)])
        self.assertEqual(len(claimed), 300)
        self.assertEqual(len(set(claimed)), 300)

    def test_a_shared_feed_is_in_the_turn_of_who_follows_fewest(self):
        self.import_as(1, 1, 50)
        self.sql("INSERT INTO wanted VALUES (2, 'UC7', true), (2, 'UC8', true)")
        self.assertEqual(self.sql("SELECT string_agg(subscription, ' ' ORDER BY 1) FROM poll_channel WHERE turn = 2"),
                         "UC7 UC8")
        # Who follows more does not take it back.
        self.sql("INSERT INTO wanted SELECT 3, 'UC' || n, true FROM generate_series(5, 9) AS n")
        self.assertEqual(self.sql("SELECT string_agg(subscription, ' ' ORDER BY 1) FROM poll_channel WHERE turn = 3"),
                         "UC5 UC6 UC9")

    def test_names_are_claimed_in_turns(self):
        self.sql("INSERT INTO wanted SELECT 1, '@n' || n, true FROM generate_series(1, 100) AS n")
        self.sql("INSERT INTO wanted VALUES (2, '@other', true)")
        self.sql(f"UPDATE poll_name SET due = {NOW}; UPDATE poll_name SET due = {NOW + 5} WHERE name = '@other'")
        claimed = self.sql(f"SELECT name FROM claim_names({NOW + 10}, 1, '', 5, 60)").split()
        self.assertEqual((len(claimed), "@other" in claimed), (5, True))

    def test_claims_of_a_crashed_poller_come_back_after_a_quarter_of_an_hour(self):
        self.follow(1)
        self.assertEqual(self.claim(1, lease=60), ["UC1"])
        # The request may have left in the last moment of the lease.
        self.assertEqual(self.claim(2, at=NOW + 959), [])
        self.assertEqual(self.claim(2, at=NOW + 960), ["UC1"])

    def test_an_undone_claim_never_was(self):
        self.follow(1)
        other = self.connect()
        other("BEGIN")
        self.assertEqual(self.claim(1, on=other), ["UC1"])
        self.connections.remove(other)
        other.kill()
        self.wait_until("SELECT count(*) = 0 FROM pg_stat_activity WHERE state = 'idle in transaction'")
        self.assertEqual(self.claim(2), ["UC1"])

    def test_released_claims_are_due_as_before(self):
        self.follow(2)
        self.claim(1)
        self.assertEqual(self.sql("SELECT release_channels(2, '{UC1,UC2}')"), "0")
        self.assertEqual(self.sql("SELECT release_channels(1, '{UC1}')"), "1")
        self.assertEqual(self.claim(2), ["UC1"])

    def test_finished_feeds_are_due_as_said_but_not_within_a_quarter_of_an_hour(self):
        self.follow(2)
        self.claim(1)
        self.assertEqual(self.finish("UC1", NOW + 5, NOW + 3600), "1")
        self.assertEqual(self.finish("UC2", NOW + 7, NOW), "1")
        self.assertEqual(self.claim(1, at=NOW + 906), [])
        self.assertEqual(self.claim(1, at=NOW + 907), ["UC2"])
        self.assertEqual(self.claim(1, at=NOW + 1000), [])
        self.assertEqual(self.claim(1, at=NOW + 3600), ["UC1", "UC2"])
        self.assertEqual(self.sql("SELECT requested, last_answer FROM poll_channel WHERE subscription = 'UC1'"), f"{NOW + 5}|200")

    def test_who_lost_a_claim_changes_nothing(self):
        self.follow(1)
        self.claim(1)
        self.assertEqual(self.claim(2, at=NOW + 960), ["UC1"])
        self.assertEqual(self.finish("UC1", NOW + 60, NOW + 961, poller=1), "0")
        self.assertEqual(self.finish("UC1", NOW + 961, NOW + 5000, poller=2), "1")

    def test_the_table_refuses_a_feed_that_is_due_too_early(self):
        self.follow(1)
        self.claim(1)
        for wrong in [f"due = {NOW + 100}", f"due = {NOW + 959}", f"requested = {NOW + 61}"]:
            with self.assertRaises(Failure) as failure:
                self.sql(f"UPDATE poll_channel SET {wrong}")
            self.assertIn("quarter_of_an_hour", str(failure.exception))

    def want(self, subject, owner=1, form="NULL", followed="true", on=None):
        name = f"user{owner}"
        self.sql(f"INSERT INTO \"user\" VALUES ('{name}', '', 0) ON CONFLICT DO NOTHING")
        self.sql(f"INSERT INTO owner(n, name, device) VALUES ({owner}, '{name}', '{name}') ON CONFLICT DO NOTHING")
        (on or self.sql)(
            f"INSERT INTO wanted(owner, subject, followed, form) VALUES ({owner}, '{subject}', {followed}, {form})"
            f" ON CONFLICT (owner, subject) DO UPDATE SET followed = excluded.followed, form = excluded.form")

    def test_who_follows_a_feed_again_while_it_is_given_up_has_it_polled(self):
        self.follow(2)
        self.claim(1)
        one, other = self.connect(), self.connect()
        # The follower is first: the poller waits, and then sees that the feed is wanted.
        one("BEGIN")
        self.want("UC1", on=one)
        other.start("SELECT * FROM drop_channels(1, '{UC1}')")
        self.wait_until_blocked(other)
        one("COMMIT")
        self.assertEqual(other.finish(), "")
        # The poller is first: the follower waits, and makes it due.
        other("BEGIN")
        self.assertEqual(other("SELECT * FROM drop_channels(1, '{UC2}')"), "UC2")
        one.start("INSERT INTO wanted(owner, subject, followed) VALUES (1, 'UC2', true)")
        self.wait_until_blocked(one)
        other("COMMIT")
        one.finish()
        self.assertEqual(self.sql("SELECT count(*) FROM poll_channel WHERE due IS NOT NULL"), "2")

    def test_what_a_user_begins_to_follow_is_due_at_once(self):
        for subject in "UC1", "@a", "/c/b":
            self.want(subject)
        self.want("UC2", followed="false")
        self.want("v:UC3", followed="false")
        self.assertEqual(self.sql("SELECT subscription FROM poll_channel"), "UC1")
        self.assertEqual(self.sql("SELECT name FROM poll_name ORDER BY 1"), "/c/b\n@a")
        self.want("UC2")
        self.assertEqual(self.sql("SELECT count(*) FROM poll_channel WHERE due <= unix_time()"), "2")

    def test_what_only_a_removed_user_followed_is_given_up(self):
        self.want("UC1", 1)
        self.want("UC2", 2)
        self.sql("DELETE FROM \"user\" WHERE name = 'user1'")
        self.sql("SELECT claim_channels(unix_time(), 1, '', 5, 60)")
        self.assertEqual(self.sql("SELECT * FROM drop_channels(1, '{UC1,UC2}')"), "UC1")

    def test_the_kind_of_feed_is_the_one_that_all_followers_want(self):
        for owner, form in [(1, "'videos'"), (2, "'videos'")]:
            self.want("UC1", owner, form)
        for owner, form in [(1, "'videos'"), (2, "NULL"), (3, "'shorts'")]:
            self.want("UC2", owner, form)
        self.want("UC3", 1)
        self.want("UC4", 1, followed="false")
        self.assertEqual(
            self.sql("SELECT * FROM followed_channels('{UC1,UC2,UC3,UC4,UC5}') ORDER BY 1"), "UC1|videos\nUC2|\nUC3|")

    def test_names_are_claimed_once_and_come_back_unless_they_are_finished(self):
        self.sql(f"SELECT want_names({NOW}, '{{@a,@b,@c}}')")
        claim = "SELECT name FROM claim_names({}, {}, '', 2, 60) ORDER BY 1"
        self.assertEqual(len(self.sql(claim.format(NOW, 1)).split()), 2)
        self.assertEqual(len(self.sql(claim.format(NOW, 2)).split()), 1)
        self.assertEqual(self.sql(claim.format(NOW + 959, 2)), "")
        self.assertEqual(len(self.sql(claim.format(NOW + 960, 2)).split()), 2)
        for name in "@a", "@b", "@c":
            self.want(name)
        self.sql(
            f"SELECT finish_names(2, (SELECT jsonb_agg(jsonb_build_object('name', name, 'requested', {NOW + 960},"
            f" 'due', {NOW + 9000}, 'undecided', true)) FROM poll_name))")
        self.assertEqual(self.sql(f"SELECT count(*) FROM poll_name WHERE due = {NOW + 9000} AND poller IS NULL"), "3")
        self.sql(f"SELECT pause_polling('', 'outage', {NOW}, {NOW + 9900}, 900)")
        self.assertEqual(self.sql(claim.format(NOW + 9500, 1)), "")

    def test_names_that_nobody_follows_are_given_up(self):
        self.sql(f"SELECT want_names({NOW}, '{{@a,@b}}')")
        self.sql(f"SELECT claim_names({NOW}, 1, '', 5, 60)")
        self.want("@a")
        self.assertEqual(self.sql("SELECT * FROM drop_names(1, '{@a,@b}')"), "@b")
        self.sql(f"SELECT want_names({NOW}, '{{@a,@b}}')")
        self.assertEqual(self.sql("SELECT count(*) FROM poll_name WHERE due IS NOT NULL"), "2")

    def test_requests_pause_for_all_but_the_one_that_probes(self):
        why = "SELECT why_paused({}, {}, 'a')"
        self.follow(9)
        self.assertEqual(self.sql(why.format(NOW, 1)), "")
        self.sql(f"SELECT pause_polling('', 'outage', {NOW}, {NOW + 1800}, 1800)")
        self.sql(f"SELECT pause_polling('b', 'refused', {NOW}, {NOW + 9000}, 9000)")
        self.assertEqual(self.sql(why.format(NOW + 1799, 1)), "outage")
        self.claim(1, at=NOW + 1800, address="'a'")
        self.assertEqual(self.sql(why.format(NOW + 1800, 1)), "")
        self.assertEqual(self.sql(why.format(NOW + 1800, 2)), "outage")

    def test_runs_are_summed_up(self):
        for count in 1, 2:
            self.sql(f"SELECT add_run({NOW + count}, {count}, 0, {count}, 0, 0, 5, 100)")
        self.assertEqual(self.sql("SELECT began, checked, new, bytes FROM poll_run"), f"{NOW + 1}|3|3|200")

    def test_feeds_that_nobody_follows_are_not_polled_until_somebody_does(self):
        self.follow(1)
        self.claim(1)
        self.sql("SELECT drop_channels(1, '{UC1}')")
        self.assertEqual(self.claim(1, at=NOW + 100_000), [])
        self.follow(1, at=NOW + 10)
        self.assertEqual(self.claim(1, at=NOW + 100_000), ["UC1"])

    def test_following_again_does_not_shorten_the_quarter_of_an_hour(self):
        self.follow(1)
        self.claim(1)
        self.finish("UC1", NOW + 5, NOW + 86_400)
        self.follow(1, at=NOW + 10)
        self.assertEqual(self.claim(1, at=NOW + 905), [])
        self.sql(f"SELECT hurry_channels({NOW + 20}, '{{UC1,UCunknown}}')")
        self.assertEqual(self.claim(1, at=NOW + 904), [])
        self.assertEqual(self.claim(1, at=NOW + 905), ["UC1"])

    def due(self, feed):
        return int(self.sql(f"SELECT due FROM poll_channel WHERE subscription = '{feed}'"))

    def test_a_poll_on_request_of_a_claimed_feed_gets_a_request_sent_after_that(self):
        self.follow(3)
        self.claim(1, at=NOW)
        self.sql(f"SELECT hurry_channels({NOW + 30}, '{{UC1,UC2,UC3}}')")
        self.finish("UC1", NOW + 5, NOW + 86_400)
        self.assertEqual(self.due("UC1"), NOW + 30 + 900)
        self.finish("UC2", NOW + 40, NOW + 86_400)
        self.assertEqual(self.due("UC2"), NOW + 86_400)
        self.sql("SELECT release_channels(1, '{UC3}')")
        self.assertEqual(self.due("UC3"), NOW)
        self.assertEqual(self.sql("SELECT count(hurried) FROM poll_channel"), "0")

    def test_a_request_that_was_aborted_is_not_repeated_within_a_quarter_of_an_hour(self):
        self.follow(3)
        for feed in "UC1", "UC2", "UC3":
            self.want(feed)
        self.claim(1)
        for feed in "UC1", "UC2":
            self.finish(feed, NOW, NOW + 900)
        self.sql("SELECT release_channels(1, '{UC3}')")
        self.claim(1, at=NOW + 1000)
        self.sql(f"SELECT hurry_channels({NOW + 1001}, '{{UC1}}')")
        # What is known of a feed whose request was aborted is what was known before.
        for feed, before in ("UC1", NOW), ("UC2", NOW), ("UC3", "null"):
            self.finish(feed, before, NOW + 1060 + 900)
        self.sql(f"SELECT hurry_channels({NOW + 1070}, '{{UC1}}')")
        self.sql(f"SELECT hurry_followed({NOW + 1071}, 1, NULL, 200)")
        self.assertEqual(self.sql(f"SELECT count(*) FROM poll_channel WHERE due = {NOW + 1960}"), "3")
        self.assertEqual(self.sql(f"SELECT * FROM claim_canaries({NOW + 1959}, 2, 5, 60)"), "")
        self.assertEqual(self.claim(2, at=NOW + 1959), [])
        self.sql("UPDATE wanted SET followed = false; UPDATE poll_channel SET due = NULL")
        self.want("UC2")
        self.assertEqual(self.due("UC2") >= NOW + 1960, True)
        with self.assertRaises(Failure):
            self.sql(f"UPDATE poll_channel SET due = {NOW + 1950}")
        self.assertEqual(self.claim(2, at=2_000_000_000), ["UC2"])
        self.finish("UC2", 2_000_000_001, 2_000_000_901, poller=2)
        self.assertEqual(self.sql("SELECT count(*) FROM poll_channel WHERE rests_until IS NULL"), "1")

    def test_a_canary_that_is_given_back_is_due_as_soon_as_a_poll_was_requested(self):
        self.follow(1)
        self.claim(1)
        self.finish("UC1", NOW, NOW + 86_400)
        self.assertEqual(self.sql(f"SELECT subscription FROM claim_canaries({NOW + 1000}, 2, 5, 60)"), "UC1")
        self.sql(f"SELECT hurry_channels({NOW + 1010}, '{{UC1}}')")
        self.sql("SELECT release_channels(2, '{UC1}')")
        self.assertEqual(self.due("UC1"), NOW + 1010)

    def test_a_user_hurries_what_they_follow_and_nothing_else(self):
        self.sql("INSERT INTO \"user\"(name, hash, created) VALUES ('ann', '', 0), ('bob', '', 0)")
        self.sql("INSERT INTO owner(n, name, device) VALUES (1, 'ann', 'a'), (2, 'bob', 'b')")
        self.sql("INSERT INTO wanted SELECT 1, 'UC' || n, n < 6 FROM generate_series(1, 6) AS n")
        self.sql("INSERT INTO wanted VALUES (2, 'UC7', true)")
        self.sql("UPDATE poll_channel SET requested = 0, due = 1000000 + substr(subscription, 3)::integer")
        before = self.sql("SELECT subscription, due FROM poll_channel ORDER BY 1")

        def hurry(at, these="NULL", most=200):
            return self.sql(f"SELECT hurry_followed({at}, 1, {these}, {most})")

        # Only one of them, and no feed of others.
        self.assertEqual(hurry(5000, "'{UC1,UC7}'"), "f")
        self.assertEqual(self.sql("SELECT subscription FROM poll_channel WHERE due = 5000"), "UC1")
        self.assertEqual(hurry(5001, "'{UC2}'"), "f")
        # Those that waited longest; what is under way counts.
        self.sql("UPDATE poll_channel SET requested = 100 WHERE subscription = 'UC3'")
        self.sql("UPDATE poll_channel SET requested = 4500, due = 1000000 WHERE subscription = 'UC5'")
        self.assertEqual(hurry(5002, most=4), "t")
        self.assertEqual(self.sql("SELECT subscription FROM poll_channel WHERE due = 5002"), "UC4")
        self.assertEqual(hurry(5003, most=4), "t")
        self.assertEqual(self.due("UC3"), 1000003)
        self.assertEqual(hurry(5004), "t")
        # UC5 was requested a moment ago.
        self.assertEqual(self.sql("SELECT subscription FROM poll_channel WHERE due > 5004 ORDER BY 1"), "UC5\nUC7")
        self.sql("DELETE FROM wanted")
        self.assertEqual(hurry(5005), "f")
        self.assertIn("UC7|1000007", before)

    def test_whoever_hurries_finishes_and_gives_back_at_once_waits_in_one_order(self):
        self.follow(40)
        feeds = ",".join(f"UC{n}" for n in range(1, 41))

        def poll(poller):
            def body(connection):
                for turn in range(20):
                    found = self.claim(poller, at=NOW + 2000 * turn, most=15, on=connection)
                    connection(f"SELECT release_channels({poller}, '{{{','.join(reversed(found))}}}')")
            return body

        def hurry(connection):
            for turn in range(40):
                connection(f"SELECT hurry_channels({NOW + turn}, '{{{feeds}}}')")

        self.at_once(poll(1), poll(2), hurry, hurry)
        self.assertEqual(self.sql("SELECT count(*) FROM poll_channel WHERE poller IS NOT NULL"), "0")

    def test_canaries_are_feeds_that_are_well(self):
        self.follow(4)
        self.claim(1)
        for feed in range(1, 4):
            self.finish(f"UC{feed}", NOW + feed, NOW + 86_400)
        self.sql("UPDATE poll_channel SET failures = 1 WHERE subscription = 'UC1'")
        query = "SELECT subscription, due FROM claim_canaries({}, 2, 5, 60) ORDER BY 1"
        self.assertEqual(self.sql(query.format(NOW + 800)), "")
        self.assertEqual(self.sql(query.format(NOW + 902)), f"UC2|{NOW + 86_400}")
        self.assertEqual(self.sql("SELECT release_channels(2, '{UC2}')"), "1")
        self.assertEqual(self.sql("SELECT due FROM poll_channel WHERE subscription = 'UC2'"), str(NOW + 86_400))

    def test_requests_of_one_address_keep_one_pace(self):
        first = []

        def poll(connection):
            for _ in range(25):
                first.append(int(connection("SELECT take_slots('a', 1000000, 4, 500)")))

        self.at_once(poll, poll, poll, poll)
        self.assertEqual(sorted(first), [1_000_000 + 2000 * turn for turn in range(100)])
        self.assertEqual(self.sql("SELECT take_slots('b', 1000000, 1, 500)"), "1000000")
        self.assertEqual(self.sql("SELECT take_slots('a', 1300000, 1, 500)"), "1300000")
        # The clock was set back by an hour.
        self.assertEqual(self.sql("SELECT take_slots('a', -2300000, 1, 500)"), "-2300000")

    def test_a_pause_holds_for_all_and_one_poller_finds_out_whether_it_is_over(self):
        self.follow(20)
        self.sql(f"SELECT pause_polling('', 'outage', {NOW}, {NOW + 1800}, 1800)")
        self.assertEqual(self.claim(1, at=NOW + 1799), [])
        self.assertEqual(len(self.claim(1, at=NOW + 1800, most=10)), 3)
        self.assertEqual(self.claim(2, at=NOW + 1800, most=10), [])
        self.assertEqual(self.sql("SELECT resume_polling(2)"), "0")
        self.assertEqual(self.sql("SELECT resume_polling(1)"), "1")
        self.assertEqual(len(self.claim(2, at=NOW + 1801, most=10)), 10)

    def test_another_poller_goes_on_when_the_one_that_probes_crashes(self):
        self.follow(20)
        self.sql(f"SELECT pause_polling('', 'outage', {NOW}, {NOW + 1800}, 1800)")
        self.assertEqual(len(self.claim(1, at=NOW + 1800)), 3)
        self.assertEqual(self.claim(2, at=NOW + 1859), [])
        self.assertEqual(len(self.claim(2, at=NOW + 1860)), 3)
        self.assertEqual(self.sql("SELECT resume_polling(1)"), "0")

    def test_one_poller_probes_of_those_that_ask_at_once(self):
        self.follow(40)
        self.sql(f"SELECT pause_polling('', 'outage', {NOW}, {NOW + 1800}, 1800)")
        counts = []
        self.at_once(*[
            lambda connection, poller=poller: counts.append(len(self.claim(poller, at=NOW + 1800, on=connection)))
            for poller in range(1, 7)])
        self.assertEqual(sorted(counts), [0, 0, 0, 0, 0, 3])

    def test_a_refusal_concerns_one_address(self):
        self.follow(20)
        self.sql(f"SELECT pause_polling('a', 'refused', {NOW}, {NOW + 14400}, 14400)")
        self.assertEqual(self.claim(1, address="'a'"), [])
        self.assertEqual(len(self.claim(2, address="'b'")), 10)

    def test_of_two_pauses_the_longer_one_holds(self):
        for until in [3600, 1800]:
            self.sql(f"SELECT pause_polling('', 'outage', {NOW}, {NOW + until}, {until})")
        self.assertEqual(self.sql("SELECT retry, backoff FROM poll_pause"), f"{NOW + 3600}|3600")

    def test_no_feed_is_requested_twice_within_a_quarter_of_an_hour_whoever_crashes(self):
        generator = random.Random(1)
        self.follow(30)
        pollers = [self.connect() for _ in range(3)]
        requested = {}
        now, count = NOW, 0
        held = {}
        for _ in range(400):
            now += generator.randint(0, 120)
            poller = generator.randrange(len(pollers))
            for feed, until in held.pop(poller, []):
                # Late pollers send nothing: the lease is over.
                chance = generator.random()
                if now <= until and chance < 0.7:
                    self.assertGreaterEqual(now - requested.get(feed, 0), 900)
                    requested[feed] = now
                    count += 1
                    if chance < 0.5:
                        self.finish(feed, now, now + generator.choice([0, 900, 4000]), poller=poller)
                elif now <= until and chance < 0.85:
                    self.sql(f"SELECT release_channels({poller}, '{{{feed}}}')")
            lease = generator.choice([10, 60, 300])
            found = self.claim(poller, at=now, most=generator.randint(1, 12), lease=lease, on=pollers[poller])
            held[poller] = [(feed, now + lease) for feed in found]
            if generator.random() < 0.1:
                self.sql(f"SELECT hurry_channels({now}, array_agg(subscription)) FROM poll_channel")
        self.assertGreater(count, 100)


if __name__ == "__main__":
    unittest.main()
