-- Users take turns: what waits for requests of one user does not keep another's waiting.

-- In whose turn a feed or a name is requested: of those who follow it, of one who followed the fewest on beginning to; 0
-- for nobody's.
ALTER TABLE poll_channel ADD COLUMN turn integer NOT NULL DEFAULT 0;
ALTER TABLE poll_name ADD COLUMN turn integer NOT NULL DEFAULT 0;
UPDATE poll_channel SET turn = follower FROM (
  SELECT subject, min(owner) AS follower FROM wanted WHERE followed GROUP BY subject) AS each
WHERE subscription = subject;
UPDATE poll_name SET turn = follower FROM (
  SELECT subject, min(owner) AS follower FROM wanted WHERE followed GROUP BY subject) AS each
WHERE name = subject;
CREATE INDEX poll_channel_turn ON poll_channel(turn, due) WHERE due IS NOT NULL;

-- The users in whose turns these feeds and names are, and who follow more than `the_owner`.
CREATE FUNCTION heavier_followers(the_owner bigint, subjects text[]) RETURNS integer[] LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  own bigint;
BEGIN
  SELECT count(*) INTO own FROM wanted WHERE owner = the_owner AND followed;
  RETURN ARRAY(
    SELECT holder FROM (
      SELECT turn FROM poll_channel WHERE subscription = ANY(subjects)
      UNION SELECT turn FROM poll_name WHERE name = ANY(subjects)) AS each(holder)
    WHERE holder = 0 OR (SELECT count(*) FROM wanted WHERE owner = holder AND followed) > own);
END $$;

-- Makes feeds due in the turn of a user, soon if they are not yet known; those in the turn of users in `heavier` become
-- this one's.
CREATE FUNCTION want_channels(
  at bigint, subscriptions text[], the_owner integer, heavier integer[]
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO poll_channel AS feed(subscription, due, turn)
    -- In one order, as in 0003-polling.sql.
    SELECT wanted, at, the_owner
    FROM (SELECT DISTINCT unnest(subscriptions) COLLATE "C" AS wanted ORDER BY wanted) AS each
  ON CONFLICT (subscription) DO UPDATE
    SET turn = excluded.turn,
      due = coalesce(feed.due, greatest(at, greatest(feed.requested, feed.lease_until) + 900, feed.rests_until))
    WHERE feed.due IS NULL OR feed.turn = ANY(heavier)
$$;

-- The same of names.
CREATE FUNCTION want_names(
  at bigint, names text[], the_owner integer, heavier integer[]
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO poll_name AS known(name, due, turn)
    SELECT wanted, at, the_owner
    FROM (SELECT DISTINCT unnest(names) COLLATE "C" AS wanted ORDER BY wanted) AS each
  ON CONFLICT (name) DO UPDATE
    SET turn = excluded.turn, due = coalesce(known.due, greatest(at, known.requested + 900))
    WHERE known.due IS NULL OR known.turn = ANY(heavier)
$$;

CREATE OR REPLACE FUNCTION want_followed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  follower record;
  heavier integer[];
BEGIN
  FOR follower IN
    SELECT owner, array_agg(subject) AS subjects,
      array_agg(subject) FILTER (WHERE left(subject, 1) IN ('@', '/')) AS names,
      array_agg(subject) FILTER (WHERE left(subject, 1) NOT IN ('@', '/')) AS subscriptions
    FROM changed WHERE followed GROUP BY owner ORDER BY owner
  LOOP
    heavier := heavier_followers(follower.owner, follower.subjects);
    IF follower.names IS NOT NULL THEN
      PERFORM want_names(unix_time(), follower.names, follower.owner, heavier);
    END IF;
    IF follower.subscriptions IS NOT NULL THEN
      PERFORM want_channels(unix_time(), follower.subscriptions, follower.owner, heavier);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- The feeds that are due, in turns: of each user the one that has been due longest, then the next one of each. At most
-- so many; of as many users, whose first ones have been due longest.
CREATE FUNCTION due_in_turns(at bigint, most bigint) RETURNS TABLE(subscription text, place bigint, since bigint)
LANGUAGE sql STABLE AS $$
  -- The users whose feeds are known, each by one look into the index.
  WITH RECURSIVE queue AS (
    (SELECT turn, due FROM poll_channel WHERE due IS NOT NULL ORDER BY turn, due LIMIT 1)
    UNION ALL
    SELECT later.turn, later.due FROM queue, LATERAL (
      SELECT turn, due FROM poll_channel WHERE turn > queue.turn AND due IS NOT NULL ORDER BY turn, due LIMIT 1) AS later)
  SELECT feed.subscription, row_number() OVER (PARTITION BY queue.turn ORDER BY feed.due) AS place, feed.due
  FROM (SELECT turn FROM queue WHERE due <= at ORDER BY due LIMIT most) AS queue, LATERAL (
    SELECT subscription, due FROM poll_channel WHERE turn = queue.turn AND due <= at ORDER BY due LIMIT most) AS feed
  ORDER BY place, feed.due LIMIT most
$$;

-- As in 0003-polling.sql, but if more feeds are due than may be claimed, users take turns.
CREATE OR REPLACE FUNCTION claim_channels(
  at bigint, the_poller bigint, of_address text, most bigint, lease bigint
) RETURNS SETOF poll_channel LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  allowed bigint := claimable(at, the_poller, of_address, most, lease);
  waiting bigint;
  ready text[];
BEGIN
  SELECT count(*) INTO waiting FROM (SELECT FROM poll_channel WHERE due <= at LIMIT allowed + 1) AS first;
  IF waiting <= allowed THEN
    ready := ARRAY(
      SELECT subscription FROM poll_channel WHERE due <= at ORDER BY due LIMIT allowed FOR NO KEY UPDATE SKIP LOCKED);
  ELSE
    ready := ARRAY(
      -- More than allowed, because others may claim some of them at the same moment.
      SELECT feed.subscription FROM due_in_turns(at, allowed * 4) AS next
        JOIN poll_channel AS feed ON feed.subscription = next.subscription AND feed.due <= at
      ORDER BY next.place, next.since LIMIT allowed FOR NO KEY UPDATE OF feed SKIP LOCKED);
  END IF;
  RETURN QUERY
    UPDATE poll_channel AS feed
    SET lease_until = at + lease, poller = the_poller, due_before = feed.due, due = at + lease + 900
    WHERE feed.subscription = ANY(ready)
    RETURNING feed.*;
END $$;

-- As in 0003-polling.sql, but in turns.
CREATE OR REPLACE FUNCTION claim_names(
  at bigint, the_poller bigint, of_address text, most bigint, lease bigint
) RETURNS SETOF poll_name LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF EXISTS (SELECT FROM poll_pause WHERE address IN ('', of_address)) THEN RETURN; END IF;
  RETURN QUERY
    UPDATE poll_name AS known SET poller = the_poller, due = at + lease + 900
    FROM (
      SELECT waiting.name FROM poll_name AS waiting JOIN (
        SELECT name, row_number() OVER (PARTITION BY turn ORDER BY due) AS place FROM poll_name WHERE due <= at
      ) AS next ON next.name = waiting.name AND waiting.due <= at
      ORDER BY next.place, waiting.due LIMIT most FOR NO KEY UPDATE OF waiting SKIP LOCKED) AS ready
    WHERE known.name = ready.name
    RETURNING known.*;
END $$;
