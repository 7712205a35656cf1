-- The users' videos, from those of the catalogue; in the transaction that made these. Rows lie in the order in which users
-- who look every week get them.
SET search_path = metube;
SET work_mem = '512MB';
SET enable_mergejoin = off;
INSERT INTO all_video(
  n, id, found, channel, published, title, link, text, text_file, text_offset, text_length, feeds, file, line, owner)
  SELECT row_number() OVER (PARTITION BY follow.owner ORDER BY video.id), video.id, found, place, published, title, link, text,
    text_file, text_offset, text_length, feeds, file, video.line, follow.owner
  FROM bench_follow AS follow JOIN all_video AS video ON video.owner = 0 AND video.channel = follow.channel
  ORDER BY (video.n - 1) / :channels, follow.owner;
