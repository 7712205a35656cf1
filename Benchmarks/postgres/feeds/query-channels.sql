-- The channels with their counts, as `ReadModel.channelCounts` and the polling state have them.
SELECT subscription, lease_until, requested, answered, last_answer, form, etag, last_modified, hub, topic, newest,
  interval_seconds, failures, failing_since, missing_form, missing_form_at, page_requested, page_missing_since, turn FROM poll_channel
WHERE subscription = ANY (ARRAY(SELECT id FROM channel));
SELECT reason, since, retry, backoff FROM poll_pause ORDER BY address = '' DESC, retry DESC LIMIT 1;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
-- Instead of: BEGIN; SET LOCAL metube.owner = '1'
SELECT set_config('metube.owner', (:user)::text, true);
SELECT channel, marks FROM subscription WHERE owner = :user;
SELECT channel, class, count FROM tally WHERE owner = :user;
SELECT video, channel,
  CASE WHEN later_at <= 1795400000 THEN later_class WHEN then_at <= 1795400000 THEN then_class ELSE class END
    | iif(blocked_since <= 1795400000 AND 1795400000 < blocked_until, 64, 0),
  published, found, n, playlists, duration
FROM special WHERE owner = :user;
SELECT p.playlist, max(v.published) FROM playlist_video p JOIN video v ON v.id = p.video WHERE v.found IS NOT NULL GROUP BY 1;
SELECT count(*) FROM subscription WHERE owner = :user AND followed = 1;
SELECT c.id, c.n,
  (SELECT published FROM listing l WHERE l.owner = s.owner AND l.channel = s.channel AND l.open = 1 ORDER BY published DESC LIMIT 1),
  (SELECT published FROM listing l WHERE l.owner = s.owner AND l.channel = s.channel AND l.open = 0 ORDER BY published DESC LIMIT 1)
FROM subscription s JOIN channel c ON c.n = s.channel WHERE s.owner = :user AND s.followed = 1;
ROLLBACK;
SELECT assigned FROM assign_numbers(:user, 2, (SELECT array_agg(id) FROM channel), 28000000);
SELECT subscription, CASE WHEN poller IS NULL THEN due ELSE least(due, due_before, unix_time()) END
FROM poll_channel WHERE due IS NOT NULL AND subscription = ANY (ARRAY(SELECT id FROM channel));
