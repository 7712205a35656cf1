"""Plans of the lists of videos: with as many rows as users have, a page is read in the order of an index."""

import unittest

from database import DatabaseTestCase


class ListPlanTests(DatabaseTestCase):
    def setUp(self):
        super().setUp()
        # The rows of 40 users, as they come week by week.
        self.sql(
            "INSERT INTO all_listing(owner, open, published, video, channel, class, found, n, duration) "
            "SELECT owner, 1, 1790000000 + week * 604800 + place, hashint8(place * 1000 + owner), place, 0, "
            "1790000000 + week * 604800, week * 100 + place, NULL "
            "FROM generate_series(1, 15) AS week, generate_series(1, 40) AS owner, generate_series(1, 100) AS place")
        self.sql("VACUUM ANALYZE all_listing")
        self.sql("SET jit = off; SET enable_seqscan = off; SET metube.owner = '7'")

    def plan(self):
        # As `ListScan.forEachByTime` sends it.
        return self.sql(
            "EXPLAIN (COSTS off) DECLARE listed NO SCROLL CURSOR FOR "
            "SELECT video, channel, class, published, found, n, 0, duration FROM listing WHERE owner = 7 AND open = 1 "
            "AND published BETWEEN 0 AND 9223372036854775807 ORDER BY published DESC, video")

    def test_a_page_is_read_in_the_order_of_its_index_alone(self):
        plan = self.plan()
        self.assertIn("Index Only Scan using listing_order", plan)
        self.assertNotIn("Sort", plan)


if __name__ == "__main__":
    unittest.main()
