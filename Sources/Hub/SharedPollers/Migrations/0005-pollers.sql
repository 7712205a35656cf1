-- More of what pollers share: signs of life, and, with a key of the Data API, which videos and channels to look up, and
-- the use of the key, with a limit for each user.
--
-- Times are seconds since 1970 by this server's clock, as in 0003-polling.sql.

-- Whether it ended as it should; `seen` says when.
ALTER TABLE poller ADD COLUMN ended boolean NOT NULL DEFAULT false;

-- Notes that a poller works, at most four times a minute.
CREATE FUNCTION see_poller(the_poller bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE poller SET seen = unix_time() WHERE n = the_poller AND seen < unix_time() - 15
$$;

-- How many pollers work, and when the last one was seen. Without a sign of life for five minutes one counts as dead: a
-- request may take a minute, the wait after a failure too, and requests at a low rate are minutes apart.
CREATE FUNCTION poller_life() RETURNS TABLE(working bigint, seen bigint) LANGUAGE sql STABLE AS $$
  SELECT count(*) FILTER (WHERE NOT ended AND poller.seen > unix_time() - 300), max(poller.seen) FROM poller
$$;

-- A video of the catalogue that the Data API may say more about. A claim that is not finished comes back by itself.
CREATE TABLE video_lookup(
  -- As in `all_video`.
  video bigint PRIMARY KEY,
  published bigint NOT NULL,
  due bigint NOT NULL,
  poller integer,
  -- Since when responses lack it; see `APIState.missing`.
  missing_since bigint) WITH (fillfactor = 70);
CREATE INDEX video_lookup_due ON video_lookup(due);
CREATE INDEX video_lookup_newest ON video_lookup(published DESC);

-- A channel of the catalogue, which is looked up again every 30 days; claimed as videos are.
CREATE TABLE channel_lookup(
  channel text COLLATE "C" PRIMARY KEY,
  due bigint NOT NULL,
  poller integer) WITH (fillfactor = 70);
CREATE INDEX channel_lookup_due ON channel_lookup(due);

-- How far the catalogue's rows were looked through for them, and of which filling of the tables: one row.
CREATE TABLE lookup_progress(
  n integer PRIMARY KEY CHECK (n = 1), filling bigint NOT NULL, video bigint NOT NULL, channel bigint NOT NULL)
  WITH (fillfactor = 50);
INSERT INTO lookup_progress VALUES (1, 0, 0, 0);

-- Looks through further rows of the catalogue, up to `most` videos and channels, for what may be looked up; returns
-- whether there were any. One process at a time does it; others do nothing.
--
-- Rows get their numbers under the owner's lock, so that none appears below one that was seen.
CREATE FUNCTION queue_lookups(most bigint) RETURNS boolean LANGUAGE plpgsql
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
    SELECT id, coalesce(published, 0), unix_time() FROM all_video
    WHERE owner = 0 AND n > seen.video AND n <= last_video
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

-- Claims up to `most` videos that are due, the newest first, for `lease` seconds; commit before the request. Fewer are
-- claimed only if one has been due for `patience` seconds: a request costs a unit, whether it is about one or fifty.
CREATE FUNCTION claim_video_lookups(
  at bigint, the_poller bigint, most bigint, patience bigint, lease bigint
) RETURNS SETOF video_lookup LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan SET enable_sort = off AS $$
BEGIN
  -- Without this, finding nothing would read all that wait.
  IF NOT EXISTS (SELECT FROM video_lookup WHERE due <= at - patience)
    AND (SELECT count(*) FROM (SELECT FROM video_lookup WHERE due <= at LIMIT most) AS ready) < most
  THEN RETURN; END IF;
  RETURN QUERY
    UPDATE video_lookup AS known SET poller = the_poller, due = at + lease
    FROM (
      SELECT video FROM video_lookup WHERE due <= at ORDER BY published DESC LIMIT most
      FOR NO KEY UPDATE SKIP LOCKED) AS ready
    WHERE known.video = ready.video
    RETURNING known.*;
END $$;

-- The same of channels, those that are due longest first.
CREATE FUNCTION claim_channel_lookups(
  at bigint, the_poller bigint, most bigint, patience bigint, lease bigint
) RETURNS SETOF channel_lookup LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM channel_lookup WHERE due <= at - patience)
    AND (SELECT count(*) FROM (SELECT FROM channel_lookup WHERE due <= at LIMIT most) AS ready) < most
  THEN RETURN; END IF;
  RETURN QUERY
    UPDATE channel_lookup AS known SET poller = the_poller, due = at + lease
    FROM (
      SELECT channel FROM channel_lookup WHERE due <= at ORDER BY due LIMIT most
      FOR NO KEY UPDATE SKIP LOCKED) AS ready
    WHERE known.channel = ready.channel
    RETURNING known.*;
END $$;

-- Keeps when claimed videos are to be looked up again: objects with `video`, `due`, NULL for never, and
-- `missing_since`. Ignores those that another poller claimed since.
CREATE FUNCTION finish_video_lookups(the_poller bigint, results jsonb) RETURNS void LANGUAGE sql AS $$
  DELETE FROM video_lookup AS known
  USING jsonb_to_recordset(results) AS result(video bigint, due bigint)
  WHERE known.video = result.video AND known.poller = the_poller AND result.due IS NULL;
  UPDATE video_lookup AS known SET due = result.due, missing_since = result.missing_since, poller = NULL
  FROM jsonb_to_recordset(results) AS result(video bigint, due bigint, missing_since bigint)
  WHERE known.video = result.video AND known.poller = the_poller AND result.due IS NOT NULL
$$;

-- The same of channels.
CREATE FUNCTION finish_channel_lookups(the_poller bigint, results jsonb) RETURNS void LANGUAGE sql AS $$
  UPDATE channel_lookup AS known SET due = result.due, poller = NULL
  FROM jsonb_to_recordset(results) AS result(channel text, due bigint)
  WHERE known.channel = result.channel AND known.poller = the_poller
$$;

-- What was used of a key of the Data API.
CREATE TABLE api_key(
  -- SHA-256: the key itself is kept nowhere.
  digest bytea PRIMARY KEY,
  -- The day of its quota, in days since 1970, and the units taken on that day.
  day bigint NOT NULL,
  units bigint NOT NULL,
  -- Why it was refused last, if it was not accepted since; see `APIFailure.ofKey`. Nothing is requested until then.
  refusal text,
  paused_until bigint,
  CHECK ((refusal IS NULL) = (paused_until IS NULL))) WITH (fillfactor = 50);

-- The units of a key that were taken today. The clock of another process may be ahead, in tomorrow.
CREATE FUNCTION units_taken(known api_key, today bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN known.day IN (today, today + 1) THEN known.units ELSE 0 END
$$;

-- The units of a key that are left today; 0 during a pause.
CREATE FUNCTION units_left(the_key bytea, today bigint, budget bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT CASE WHEN paused_until > unix_time() THEN 0 ELSE greatest(budget - units_taken(known, today), 0) END
    FROM api_key AS known WHERE digest = the_key), budget)
$$;

-- Takes a unit of a key, before its request; returns how many are left, or NULL without one, also during a pause.
CREATE FUNCTION take_unit(the_key bytea, today bigint, budget bigint) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO api_key AS known(digest, day, units) SELECT the_key, today, 1 WHERE budget > 0
  ON CONFLICT (digest) DO UPDATE
    SET day = CASE known.day WHEN today + 1 THEN known.day ELSE today END, units = units_taken(known, today) + 1
    WHERE units_taken(known, today) < budget AND coalesce(known.paused_until <= unix_time(), true)
  RETURNING budget - units
$$;

-- Begins or prolongs a pause of requests with a key; returns whether it was not refused for this reason before.
CREATE FUNCTION pause_key(the_key bytea, why text, until bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known text;
BEGIN
  SELECT refusal INTO known FROM api_key WHERE digest = the_key FOR UPDATE;
  UPDATE api_key SET refusal = why, paused_until = greatest(paused_until, until) WHERE digest = the_key;
  RETURN known IS DISTINCT FROM why;
END $$;

-- Notes that a key was accepted; a request that was sent before a pause began says nothing about that.
CREATE FUNCTION accept_key(the_key bytea) RETURNS void LANGUAGE sql AS $$
  UPDATE api_key SET refusal = NULL, paused_until = NULL WHERE digest = the_key AND paused_until <= unix_time()
$$;

-- The last requests of each user for older videos, which use the key that all users share.
CREATE TABLE older_request(
  owner integer PRIMARY KEY REFERENCES owner ON DELETE CASCADE,
  -- When they were counted, in this order.
  times bigint[] NOT NULL) WITH (fillfactor = 50);

-- Counts a request; returns NULL if it is one of the `most` of 24 hours, else the seconds until the next one is allowed.
CREATE FUNCTION count_older_request(the_owner bigint, most bigint, at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  recent bigint[];
BEGIN
  INSERT INTO older_request VALUES (the_owner, '{}') ON CONFLICT DO NOTHING;
  -- A caller that waited for the lock may find a time later than `at`; much later ones are from before the clock was set back.
  SELECT ARRAY(SELECT counted FROM unnest(times) AS counted WHERE counted BETWEEN at - 86399 AND at + 60 ORDER BY counted)
  INTO recent FROM older_request WHERE owner = the_owner FOR UPDATE;
  IF cardinality(recent) >= most THEN
    RETURN least(recent[cardinality(recent) - most + 1] + 86400 - at, 86400);
  END IF;
  UPDATE older_request SET times = recent || at WHERE owner = the_owner;
  RETURN NULL;
END $$;

-- Forgets the last request that was counted, because it used no unit of the key.
CREATE FUNCTION forget_older_request(the_owner bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE older_request SET times = trim_array(times, 1) WHERE owner = the_owner AND times <> '{}'
$$;
