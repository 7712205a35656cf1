-- YouTube is asked for its videos alone: entries of other feeds have rows among them since 0015-entries.sql, and the upper
-- half of an entry's ID would name some video.
CREATE OR REPLACE FUNCTION queue_lookups(most bigint) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  seen lookup_progress;
  current_filling bigint;
  last_video bigint;
  last_channel bigint;
BEGIN
  SELECT * INTO seen FROM lookup_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT fillings INTO current_filling FROM owner WHERE n = 0;
  IF NOT FOUND THEN RETURN false; END IF;
  IF current_filling <> seen.filling THEN
    -- The rows have other numbers now.
    seen.video := 0;
    seen.channel := 0;
  END IF;
  SELECT max(n) INTO last_video FROM (
    SELECT n FROM all_video WHERE owner = 0 AND n > seen.video ORDER BY n LIMIT most) AS further;
  SELECT max(n) INTO last_channel FROM (
    SELECT n FROM all_channel WHERE owner = 0 AND n > seen.channel ORDER BY n LIMIT most) AS further;
  IF last_video IS NULL AND last_channel IS NULL THEN RETURN false; END IF;
  -- As `enrichmentCandidates` of the read model, with those that no feed has shown: these rows are never seen again.
  INSERT INTO video_lookup(video, published, due)
    SELECT id, coalesce(published, 0), unix_time() FROM all_video AS v
    WHERE owner = 0 AND n > seen.video AND n <= last_video
      AND NOT EXISTS (SELECT FROM all_entry AS e WHERE e.owner = 0 AND e.video = v.id)
      AND (duration IS NULL OR enriched_at IS NULL OR removed = 1 OR live IN ('upcoming', 'live'))
    ON CONFLICT DO NOTHING;
  INSERT INTO channel_lookup(channel, due)
    SELECT id, unix_time() FROM all_channel
    WHERE owner = 0 AND n > seen.channel AND n <= last_channel AND id LIKE 'UC%'
    ON CONFLICT DO NOTHING;
  UPDATE lookup_progress
  SET filling = current_filling, video = coalesce(last_video, seen.video),
    channel = coalesce(last_channel, seen.channel);
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION untitled(the_owner bigint) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
  SELECT q.video FROM (
    SELECT video FROM all_decision
    WHERE owner = the_owner AND (saved = 1 OR progress > 0 OR note <> '' OR status <> 'new' AND reason IS NULL)
    UNION SELECT video FROM all_collection WHERE owner = the_owner AND member = 1) AS q
  WHERE NOT EXISTS (SELECT FROM all_video AS v WHERE v.owner = the_owner AND v.id = q.video AND v.found IS NOT NULL)
    AND NOT EXISTS (
      SELECT FROM all_described AS x WHERE x.owner = the_owner AND x.video = q.video AND x.source = 'YouTube')
    AND NOT EXISTS (SELECT FROM all_entry AS e WHERE e.owner = the_owner AND e.video = q.video)
$$;
