-- What the hub sends to find out who sent a request and to open a user's log on a connection that has not served the user
-- lately: the statements of `Accounts`, `PostgresLog`, `ReadModel.state` and `NumberedThings`.
\set user random(:first, :users)
SELECT id, "user", scope, used, disabled FROM token JOIN "user" AS account ON account.name = "user"
WHERE digest = sha256(convert_to('mth_user' || :user, 'UTF8'));
SELECT name, n, lines, coalesce((SELECT lines FROM owner WHERE n = 0), 0) FROM owner WHERE name = ANY(ARRAY['user' || :user]);
SELECT n FROM owner WHERE name = 'user' || :user;
SELECT n, device FROM owner WHERE name = 'user' || :user OR ('user' || :user IS NULL AND n = 0);
SELECT n, device FROM owner WHERE name = 'user' || :user OR ('user' || :user IS NULL AND n = 0);
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
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT id, checked, not_due, failed, new, changed, gaps, outage, stopped, milliseconds, bytes, unrequested FROM run ORDER BY id;
SELECT id, channel, after, before, closed FROM gap;
SELECT count(*) FROM subscription WHERE owner = :user;
SELECT c.id, c.name, c.name_at, s.followed, s.followed_at, s.title, s.title_at, s.tags, s.tags_at, s.feed, s.feed_at, s.shorts,
  s.shorts_at, s.live, s.live_at, s.list_order, s.list_order_at, s.seen_before, s.seen_before_at, c.enriched_at, c.avatar,
  c.subscribers, c.videos, f.url, f.url_at, f.site, f.site_at, f.image, f.image_at, f.language, f.language_at, f.key_kind,
  f.key_kind_at
FROM channel c LEFT JOIN subscription s ON s.owner = :user AND s.channel = c.n LEFT JOIN feed f ON f.channel = c.n
WHERE (s.owner IS NOT NULL OR c.name IS NOT NULL OR c.enriched_at IS NOT NULL OR f.channel IS NOT NULL);
SELECT feed, into_feed FROM feed_merge;
SELECT handle, followed, title, tags, seen_before, action, followed_at, resolved, resolved_at FROM handle WHERE owner = :user;
SELECT id, made, changed, verdict, contains, matches, field, minimum_length, maximum_length, short, live, age, tag, subscription
FROM rule WHERE owner = :user;
SELECT name, kept, kept_at, text, text_at FROM collection_register WHERE owner = :user;
SELECT name, channel, value, value_at FROM preference WHERE owner = :user;
ROLLBACK;
-- Instead of: SELECT fillings FROM owner WHERE n = ?
SELECT fillings FROM owner WHERE n = :user \gset
-- Instead of: SELECT numbered FROM number_counter WHERE owner = ? AND filling = ?
SELECT numbered FROM number_counter WHERE owner = :user AND filling = :fillings \gset
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
DECLARE arrived NO SCROLL CURSOR FOR SELECT v.found, v.id, v.n, e.id FROM video v LEFT JOIN entry e ON e.video = v.id
  WHERE v.n > :numbered AND v.found IS NOT NULL;
FETCH 100 FROM arrived;
CLOSE arrived;
ROLLBACK;
SELECT assigned FROM assign_numbers(:user, 2, (SELECT array_agg(id) FROM channel), 28000000);
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT name FROM collection_register WHERE owner = :user AND kept = 1;
SELECT name, count(*) FROM collection WHERE owner = :user AND member = 1 GROUP BY name;
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT count(*) FROM decision d WHERE d.owner = :user AND d.saved = 1;
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT name, text FROM collection_register WHERE owner = :user AND text != '';
ROLLBACK;
