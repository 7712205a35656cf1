-- What lists and search read of all videos, and the users' marks.
SET search_path = metube;
SET work_mem = '512MB';
SET enable_mergejoin = off;
BEGIN;
TRUNCATE all_title;
INSERT INTO all_title(owner, n, folded) SELECT owner, n, lower(title) FROM all_video;
COMMIT;
BEGIN;
TRUNCATE all_listing, all_tally, all_decision;
-- The class of a Short is 4, that of a watched video 1; see `VideoClass`.
INSERT INTO all_listing(owner, open, published, video, channel, class, found, n, duration)
  SELECT video.owner, CASE WHEN mark.owner IS NULL THEN 1 ELSE 0 END, published, id, channel,
    CASE link WHEN 2 THEN 4 ELSE 0 END + CASE WHEN mark.owner IS NULL THEN 0 ELSE 1 END, bench_second(found), n, NULL
  FROM all_video AS video LEFT JOIN bench_mark AS mark ON mark.owner = video.owner AND mark.video = video.id;
INSERT INTO all_tally(owner, channel, class, count)
  SELECT owner, channel, class, count(*) FROM all_listing GROUP BY owner, channel, class ORDER BY owner, channel;
INSERT INTO all_decision(owner, video, status, status_at, history)
  SELECT owner, video, 'watched', marked, bench_second(marked) FROM bench_mark ORDER BY marked;
COMMIT;
