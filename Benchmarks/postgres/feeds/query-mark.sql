-- A note on a video: the line of 148 bytes is appended and folded, as `PostgresLibrary.commit` does it.
\set place random(1, 1500)
SELECT id AS video FROM all_video WHERE owner = :user AND n = :place \gset
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT lock_model(:user);
SELECT o.lines, coalesce((SELECT filed FROM owner WHERE n = 0), 0),
  CASE WHEN pg_is_in_recovery() THEN (pg_control_system()).system_identifier || '-' || upper(lpad(to_hex(
    greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline)), 8, '0'))
  ELSE era() END, own.id,
  (SELECT id FROM log_line WHERE owner = o.n
    AND id <= greatest('\x01a20bfd38c6ffff7fffffffffffffff', substr(own.id, 1, 6) || '\xffff7fffffffffffffff'::bytea)
    ORDER BY id DESC LIMIT 1),
  (SELECT id FROM log_line WHERE owner = 0
    AND id <= greatest('\x01a20bfd38c6ffff7fffffffffffffff', substr(own.id, 1, 6) || '\xffff7fffffffffffffff'::bytea)
    ORDER BY id DESC LIMIT 1),
  (SELECT value FROM all_meta WHERE owner = o.n AND key = 'coverage')
FROM owner o LEFT JOIN LATERAL (
  SELECT id FROM log_line WHERE log = (SELECT n FROM log WHERE owner = o.n AND name = o.device) ORDER BY start DESC LIMIT 1
) own ON true
WHERE o.n = :user;
SELECT number, log, start, bytes, owner FROM log_line
WHERE owner = :user AND id > '\x01a20bfc2a48ffff7fffffffffffffff' AND id <= '\x01a20bfd38c7ffff7fffffffffffffff' AND number <= 1000
UNION ALL
SELECT number, log, start, bytes, owner FROM log_line
WHERE owner = 0 AND id > '\x01a20bfc2a48ffff7fffffffffffffff' AND id <= '\x01a20bfd38c7ffff7fffffffffffffff' AND number <= 100000000
  AND :user != 0;
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
  SELECT CAST(:video AS bigint) AS id, EXISTS (SELECT 1 FROM collection WHERE owner = :user AND video = :video)
    AS is_in_collections) q
  LEFT JOIN video v ON v.id = :video LEFT JOIN decision d ON d.owner = :user AND d.video = :video
  LEFT JOIN described x ON x.owner = :user AND x.video = :video LEFT JOIN entry e ON e.video = :video
WHERE v.id IS NOT NULL OR d.owner IS NOT NULL OR x.owner IS NOT NULL OR q.is_in_collections
  OR e.id IS NOT NULL;
-- Instead of: SELECT n, length FROM log WHERE owner = ? AND name = ?
SELECT n AS log, length, name, decode(lpad(to_hex(nextval('bench_id')), 32, '0'), 'hex') AS id
FROM log WHERE owner = :user AND name = 'u' || lpad((:user)::text, 7, '0') \gset
SELECT append_lines(:user, :name, :name, 1, NULL, convert_to(repeat('x', 147) || E'\n', 'UTF8'), '{148}', CAST(:id AS bytea));
-- Instead of: SELECT value FROM meta WHERE key = 'coverage'
SELECT value::text AS coverage FROM meta WHERE key = 'coverage' \gset
SELECT EXISTS (SELECT 1 FROM video) OR EXISTS (SELECT 1 FROM decision) OR EXISTS (SELECT 1 FROM collection)
  OR EXISTS (SELECT 1 FROM meta WHERE key = 'rules') OR EXISTS (SELECT 1 FROM entry), EXISTS (SELECT 1 FROM entry);
INSERT INTO decision AS d(owner, video, note, note_at) VALUES (:user, :video, '42', CAST(:id AS bytea))
ON CONFLICT(owner, video) DO UPDATE SET note = excluded.note, note_at = excluded.note_at
WHERE d.note_at IS NULL OR d.note_at < excluded.note_at;
INSERT INTO event(subject, file, line, action, device) VALUES (:video, :log, :length, CAST(:id AS bytea), 8444302284844707889)
ON CONFLICT DO NOTHING;
DELETE FROM run WHERE id <= (SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET 24);
SELECT value FROM meta WHERE key = 'rules';
SELECT v.n, v.id, v.channel, v.published, v.found, v.link, v.feeds, v.duration, v.live, v.scheduled, v.started,
  v.enriched_at, v.upcoming_first, v.upcoming_last, v.removed, v.removed_at, d.status, d.until, d.status_at,
  EXISTS (SELECT 1 FROM playlist_video p WHERE p.video = v.id), b.since, b.until, v.moved
FROM unnest(ARRAY[CAST(:video AS bigint)]) one(value)
  JOIN LATERAL (SELECT * FROM video WHERE id = one.value LIMIT 1) v ON true
  LEFT JOIN LATERAL (SELECT * FROM decision WHERE owner = :user AND video = v.id LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT * FROM block WHERE owner = :user AND n = v.n LIMIT 1) b ON true;
INSERT INTO meta(key, value) VALUES ('coverage', CAST(:coverage AS bytea))
ON CONFLICT(owner, key) DO UPDATE SET value = excluded.value;
COMMIT;
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SET LOCAL synchronous_commit = off;
SELECT notify_owners(ARRAY[:user]::integer[]);
COMMIT;
