-- What `PostgresSearch` and `ListScan` read for a list of the videos with a word; the videos whose descriptions have it without
-- a cursor, because pgbench keeps one row only.
SELECT c.n, c.id, c.name, nullif(s.title, '') FROM channel c
  LEFT JOIN subscription s ON s.owner = :user AND s.channel = c.n
ORDER BY c.n;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
DECLARE titles NO SCROLL CURSOR FOR SELECT n FROM title WHERE strpos(folded, :word) > 0;
FETCH 100 FROM titles;
FETCH 1000 FROM titles;
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
DECLARE unread NO SCROLL CURSOR FOR SELECT v.n FROM words w JOIN video v ON v.text = w.fingerprint
WHERE w.words IS NULL AND v.found IS NOT NULL;
FETCH 100 FROM unread;
ROLLBACK;
-- Instead of: SELECT v.n FROM words w JOIN video v ON v.text = w.fingerprint WHERE w.words @@ ? AND v.found IS NOT NULL
SELECT coalesce(array_agg(v.n), '{}')::text AS candidates FROM words w JOIN video v ON v.text = w.fingerprint
WHERE w.words @@ CAST('''' || :word || ''':*' AS tsquery) AND v.found IS NOT NULL \gset
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT channel, marks FROM subscription WHERE owner = :user;
SELECT max(n) FROM video;
SELECT v.n, v.id, v.channel, v.published, v.found, v.link, v.feeds, v.duration, v.live, v.scheduled, v.started,
  v.enriched_at, v.upcoming_first, v.upcoming_last, v.removed, v.removed_at, d.status, d.until, d.status_at,
  EXISTS (SELECT 1 FROM playlist_video p WHERE p.video = v.id), b.since, b.until, v.moved
FROM unnest(CAST(:candidates AS bigint[])) one(value)
  JOIN LATERAL (SELECT * FROM video WHERE n = one.value LIMIT 1) v ON true
  LEFT JOIN LATERAL (SELECT * FROM decision WHERE owner = :user AND video = v.id LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT * FROM block WHERE owner = :user AND n = v.n LIMIT 1) b ON true
ORDER BY v.n;
ROLLBACK;
