-- The newest 50 unwatched videos, as `ListScan` and `VideoRows` read them; the array of their IDs comes from the list by a
-- query of its own, because pgbench keeps one row only.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT name, channel, value, value_at FROM preference WHERE owner = :user;
SELECT channel, marks FROM subscription WHERE owner = :user;
SELECT video, channel,
  CASE WHEN later_at <= 1795400000 THEN later_class WHEN then_at <= 1795400000 THEN then_class ELSE class END
    | iif(blocked_since <= 1795400000 AND 1795400000 < blocked_until, 64, 0),
  published, found, n, playlists, duration
FROM special WHERE owner = :user;
SELECT channel, class, count FROM tally WHERE owner = :user;
DECLARE listed NO SCROLL CURSOR FOR SELECT video, channel, class, published, found, n, 0, duration FROM listing
WHERE owner = :user AND open = 1 AND published BETWEEN -9223372036854775808 AND 9223372036854775807
ORDER BY published DESC, video;
FETCH 100 FROM listed;
CLOSE listed;
SELECT array_agg(video)::text AS videos FROM (
  SELECT video FROM listing WHERE owner = :user AND open = 1 AND class = 0 ORDER BY published DESC, video LIMIT 50) AS page \gset
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT q.is_in_collections, EXISTS (SELECT 1 FROM playlist_video WHERE video = q.id),
  v.found, (SELECT id FROM channel WHERE n = v.channel), v.published, v.title, v.link,
  v.text, v.text_file, v.text_offset, v.text_length,
  CASE WHEN v.text_file IS NULL THEN (SELECT text FROM text WHERE fingerprint = v.text) END,
  v.zero_views, v.feeds, v.moved, v.changed, v.thumbnail, v.channel_title, v.duration, v.live, v.enriched_at,
  v.enriched_duration, v.enriched_live, v.scheduled, v.started, v.ended, v.upcoming_first, v.upcoming_last,
  v.removed, v.removed_at,
  d.status, d.until, d.watched_at, d.reason, d.status_at, d.saved, d.saved_at, d.progress, d.progress_at, d.note,
  d.note_at, q.id, x.title, x.channel, x.channel_title, x.published, x.duration, x.source, x.described_at, e.id, e.key,
  e.link, e.link_at, e.media, e.media_at, e.image, e.image_at, e.author, e.author_at, e.season, e.season_at, e.episode,
  e.episode_at, e.explicit, e.explicit_at
FROM (
  SELECT one.id, c.video IS NOT NULL AS is_in_collections FROM unnest(CAST(:videos AS bigint[])) one(id)
    LEFT JOIN LATERAL (SELECT video FROM collection WHERE owner = :user AND video = one.id LIMIT 1) c ON true) q
  LEFT JOIN LATERAL (SELECT * FROM video WHERE id = q.id LIMIT 1) v ON true
  LEFT JOIN LATERAL (SELECT * FROM decision WHERE owner = :user AND video = q.id LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT * FROM described WHERE owner = :user AND video = q.id LIMIT 1) x ON true
  LEFT JOIN LATERAL (SELECT * FROM entry WHERE video = q.id LIMIT 1) e ON true
WHERE v.id IS NOT NULL OR d.owner IS NOT NULL OR x.owner IS NOT NULL OR q.is_in_collections
  OR e.id IS NOT NULL;
ROLLBACK;
SELECT video, views FROM view_count WHERE video = ANY(:videos::bigint[]);
SELECT assigned FROM assign_numbers(:user, 1, (
  SELECT array_agg(key) FROM (SELECT key FROM number WHERE owner = :user AND kind = 1 LIMIT 50) AS known), 28000000);
