-- What is known of channels: the catalogue's from the events that name them, the users' from what they follow.
SET search_path = metube;
SET work_mem = '256MB';
BEGIN;
TRUNCATE all_channel, all_subscription, wanted;
INSERT INTO all_channel(n, id, name, name_at, owner) SELECT n, id, name, named, 0 FROM bench_channel;
INSERT INTO all_channel(n, id, name, name_at, owner)
  SELECT place, id, name, named, owner FROM bench_follow JOIN bench_channel ON n = channel ORDER BY owner, place;
INSERT INTO all_subscription(owner, channel, followed, followed_at)
  SELECT owner, place, 1, followed FROM bench_follow ORDER BY owner, place;
-- Without the trigger, which would have the feeds due now.
SET LOCAL session_replication_role = replica;
INSERT INTO wanted(owner, subject, followed)
  SELECT owner, id, true FROM bench_follow JOIN bench_channel ON n = channel ORDER BY owner, id;
INSERT INTO poll_channel(subscription, due, requested, answered, last_answer, form, newest, interval_seconds, hub, topic)
  SELECT id, unix_time() + 864000 + n % 86400, unix_time() - 3600, unix_time() - 3600, '200', 'channel', 1795000000, 604800,
    'https://pubsubhubbub.appspot.com/subscribe', 'https://www.youtube.com/xml/feeds/videos.xml?channel_id=' || id
  FROM bench_channel;
COMMIT;
