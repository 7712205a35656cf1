"""Compares the rows that were loaded with those that the hub makes of the same logs."""
from feed_bench import fail
from feed_hub import Hub

PAGES = ("/api/v1/videos?limit=50", "/api/v1/videos?limit=50&status=watched", "/api/v1/channels")
# Of the catalogue, whose videos have other numbers if it is folded in parts, everything but numbers is compared.
CATALOGUE_LIMIT = 200_000


class Check:
    def __init__(self, server, sizes):
        self.server, self.sizes = server, sizes
        self.tables = server.sql(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'metube'::regnamespace "
            "AND (relname LIKE 'all\\_%' OR relname = 'wanted') ORDER BY 1").split()

    def run(self):
        # Of the half for which pgbench marks nothing.
        users = sorted({1, self.sizes.users // 4, self.sizes.users // 2})
        for user in users:
            self.compare(user)
        print(f"the rows and pages of {len(users)} users are those that the hub makes of their logs", flush=True)
        if self.sizes.channels * self.sizes.weeks <= CATALOGUE_LIMIT:
            self.compare_catalogue()
            print("so are the rows of the catalogue, but for the numbers of its videos", flush=True)

    def compare(self, user):
        with Hub(self.server) as hub:
            pages = [hub.get(user, path)[0] for path in PAGES]
        self.keep(user)
        self.server.sql(f"SELECT clear_model({user})")
        with Hub(self.server) as hub:
            if [hub.get(user, path)[0] for path in PAGES] != pages:
                fail(f"user{user} gets other pages after the log is read again")
        for table in self.tables:
            self.require_equal(table, user)
        self.forget()

    def compare_catalogue(self):
        hub = Hub(self.server)
        self.keep(0)
        self.server.sql("CREATE TABLE kept_catalogue_subject AS SELECT * FROM catalogue_subject")
        self.server.sql("SELECT clear_model(0)")
        hub.do("poll", "--once")
        for table in self.tables:
            self.require_equal(table, 0)
        self.require_none(
            "catalogue_subject", "SELECT * FROM catalogue_subject", "SELECT * FROM kept_catalogue_subject")
        self.forget()

    def keep(self, owner):
        for table in self.tables:
            self.server.sql(f"CREATE TABLE kept_{table} AS SELECT * FROM {table} WHERE owner = {owner}")

    def forget(self):
        kept = self.server.sql(
            "SELECT string_agg(relname, ', ') FROM pg_class WHERE relname LIKE 'kept\\_%' AND relkind = 'r'")
        self.server.sql(f"DROP TABLE {kept}")

    def require_equal(self, table, owner):
        # The values of `all_meta` say how far the logs were read.
        left_out = ["value"] if table == "all_meta" else []
        if owner == 0 and table in ("all_video", "all_listing", "all_title"):
            left_out.append("n")
        columns = self.server.sql(
            f"SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = '{table}'::regclass "
            f"AND attnum > 0 AND attname <> ALL('{{{','.join(left_out)}}}')")
        self.require_none(
            table, f"SELECT {columns} FROM {table} WHERE owner = {owner}", f"SELECT {columns} FROM kept_{table}")

    def require_none(self, table, one, other):
        """Fails if the rows of two queries differ."""
        differing = self.server.sql(
            f"SELECT * FROM (({one} EXCEPT ALL {other}) UNION ALL ({other} EXCEPT ALL {one})) AS differing LIMIT 4")
        if differing:
            fail(f"{table} differs:\n{differing}")
