-- What pollers share: when each feed is due, who requests it, at which pace, and whether requests are paused.
--
-- Times are seconds since 1970; callers pass `unix_time()`, so that only this server's clock counts.

-- A running process that polls.
CREATE TABLE poller(
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Host and process, for people.
  name text NOT NULL,
  -- Requests of pollers with the same name for it leave from one address.
  address text NOT NULL,
  began bigint NOT NULL,
  seen bigint NOT NULL);

-- The polling state of a subscription's feed; `due` decides alone whether it may be requested.
CREATE TABLE poll_channel(
  subscription text COLLATE "C" PRIMARY KEY,
  -- NULL: nobody follows it.
  due bigint,
  -- Its claim: the holder may send the request until then.
  lease_until bigint,
  poller integer,
  -- What `due` was before the claim.
  due_before bigint,
  -- When a poll was requested while it was claimed.
  hurried bigint,
  -- Not requested before: a request that was aborted, and is not in `requested`, may have been sent all the same.
  rests_until bigint,
  -- See `FeedState`.
  requested bigint, answered bigint, last_answer text, form text, etag text, last_modified text, hub text, topic text,
  newest bigint, interval_seconds bigint, failures integer NOT NULL DEFAULT 0, failing_since bigint,
  missing_form text, missing_form_at bigint, page_requested bigint, page_missing_since bigint,
  -- No feed is requested twice within 15 minutes, whatever becomes of who claimed it.
  CONSTRAINT quarter_of_an_hour CHECK (due >= greatest(greatest(requested, lease_until) + 900, rests_until)),
  CHECK ((lease_until IS NULL) = (poller IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX poll_channel_due ON poll_channel(due) WHERE due IS NOT NULL;
CREATE INDEX poll_channel_poller ON poll_channel(poller) WHERE poller IS NOT NULL;
-- What responded lately.
CREATE INDEX poll_channel_requested ON poll_channel(requested) WHERE requested IS NOT NULL;

-- A name that has to be looked up; see `HandleState`. Claimed as feeds are.
CREATE TABLE poll_name(
  name text COLLATE "C" PRIMARY KEY,
  -- NULL: nobody follows it.
  due bigint,
  poller integer,
  requested bigint, last_answer text, undecided boolean NOT NULL DEFAULT false);
CREATE INDEX poll_name_due ON poll_name(due) WHERE due IS NOT NULL;

-- What polls amounted to since the last one that was logged: one row.
CREATE TABLE poll_run(
  n integer PRIMARY KEY CHECK (n = 1),
  began bigint NOT NULL,
  checked bigint NOT NULL, failed bigint NOT NULL, new bigint NOT NULL, changed bigint NOT NULL, gaps bigint NOT NULL,
  milliseconds bigint NOT NULL, bytes bigint NOT NULL) WITH (fillfactor = 50);

-- When the next request may leave from an address, milliseconds since 1970.
CREATE TABLE poll_pace(address text PRIMARY KEY, next bigint NOT NULL) WITH (fillfactor = 50);

-- A pause in requests from an address; of all addresses if that is empty, as in an outage.
CREATE TABLE poll_pause(
  address text PRIMARY KEY,
  -- See `Backoff`.
  reason text NOT NULL, since bigint NOT NULL, retry bigint NOT NULL, backoff bigint NOT NULL,
  -- Who finds out whether it is over, and until when.
  poller integer, probe_until bigint);

-- How many feeds a poller may claim: none during a pause, and three when it is over until one poller knows that it is.
CREATE FUNCTION claimable(
  at bigint, the_poller bigint, of_address text, most bigint, lease bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  pauses integer;
  probed integer;
BEGIN
  -- Most of the time nothing is paused, and nothing is locked.
  IF NOT EXISTS (SELECT FROM poll_pause WHERE address IN ('', of_address)) THEN RETURN most; END IF;
  PERFORM FROM poll_pause WHERE address IN ('', of_address) ORDER BY address FOR UPDATE;
  SELECT count(*) INTO pauses FROM poll_pause WHERE address IN ('', of_address);
  IF pauses = 0 THEN RETURN most; END IF;
  IF EXISTS (
    SELECT FROM poll_pause WHERE address IN ('', of_address)
      AND (retry > at OR (poller <> the_poller AND probe_until > at)))
  THEN RETURN 0; END IF;
  UPDATE poll_pause SET poller = the_poller, probe_until = at + lease WHERE address IN ('', of_address);
  RETURN least(most, 3);
END $$;

-- Claims feeds that are due, for requests within `lease` seconds; commit before sending any. A claim that is neither
-- finished nor released comes back 15 minutes after its end.
--
-- A plan that does not know the limit sorts all feeds that are due, which took half a second of a million.
CREATE FUNCTION claim_channels(
  at bigint, the_poller bigint, of_address text, most bigint, lease bigint
) RETURNS SETOF poll_channel LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  allowed bigint := claimable(at, the_poller, of_address, most, lease);
BEGIN
  RETURN QUERY
    UPDATE poll_channel AS feed
    SET lease_until = at + lease, poller = the_poller, due_before = feed.due, due = at + lease + 900
    FROM (
      SELECT subscription FROM poll_channel WHERE due <= at ORDER BY due LIMIT allowed
      FOR NO KEY UPDATE SKIP LOCKED) AS ready
    WHERE feed.subscription = ready.subscription
    RETURNING feed.*;
END $$;

-- Claims feeds that are well and not due, the next ones that will be: they show whether YouTube's feeds work at all.
CREATE FUNCTION claim_canaries(
  at bigint, the_poller bigint, most bigint, lease bigint
) RETURNS SETOF poll_channel LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY
    UPDATE poll_channel AS feed
    SET lease_until = at + lease, poller = the_poller, due_before = feed.due, due = greatest(feed.due, at + lease + 900)
    FROM (
      SELECT subscription FROM poll_channel
      WHERE due > at AND lease_until IS NULL AND failures = 0 AND answered >= requested AND requested <= at - 900
        AND coalesce(rests_until, 0) <= at
      ORDER BY due LIMIT most FOR NO KEY UPDATE SKIP LOCKED) AS ready
    WHERE feed.subscription = ready.subscription
    RETURNING feed.*;
END $$;

-- Keeps what became of claimed feeds: objects with the columns of `poll_channel`, `due` not before 15 minutes after
-- `requested`. Ignores those that another poller claimed since; returns how many were kept.
CREATE FUNCTION finish_channels(the_poller bigint, results jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  kept bigint;
BEGIN
  -- In one order, as whoever follows several feeds at once locks them.
  PERFORM FROM poll_channel
    WHERE subscription IN (SELECT result->>'subscription' FROM jsonb_array_elements(results) AS result)
      AND poller = the_poller
    ORDER BY subscription FOR NO KEY UPDATE;
  UPDATE poll_channel AS feed
  -- One from before a poll was requested does not show what is new; the poller's clock may be ahead by seconds. Without
  -- a request that is known to have ended, `due` stands.
  SET due = greatest(
      least(result.due,
        CASE WHEN result.requested IS DISTINCT FROM feed.requested AND feed.hurried >= result.requested - 5
          THEN feed.hurried + 900 END),
      result.requested + 900),
    rests_until = CASE WHEN result.requested IS NOT DISTINCT FROM feed.requested THEN result.due END,
    lease_until = NULL, poller = NULL, due_before = NULL, hurried = NULL,
    requested = result.requested, answered = result.answered, last_answer = result.last_answer, form = result.form,
    etag = result.etag, last_modified = result.last_modified, hub = result.hub, topic = result.topic,
    newest = result.newest, interval_seconds = result.interval_seconds, failures = coalesce(result.failures, 0),
    failing_since = result.failing_since, missing_form = result.missing_form, missing_form_at = result.missing_form_at,
    page_requested = result.page_requested, page_missing_since = result.page_missing_since
  FROM jsonb_populate_recordset(NULL::poll_channel, results) AS result
  WHERE feed.subscription = result.subscription AND feed.poller = the_poller;
  GET DIAGNOSTICS kept = ROW_COUNT;
  RETURN kept;
END $$;

-- Gives back claims whose requests were not sent, and will not be.
CREATE FUNCTION release_channels(the_poller bigint, subscriptions text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  released bigint;
BEGIN
  -- In one order, as above.
  PERFORM FROM poll_channel WHERE poller = the_poller AND subscription = ANY(subscriptions)
    ORDER BY subscription FOR NO KEY UPDATE;
  UPDATE poll_channel
  SET due = greatest(least(due_before, hurried), requested + 900, rests_until), lease_until = NULL, poller = NULL,
    due_before = NULL, hurried = NULL
  WHERE poller = the_poller AND subscription = ANY(subscriptions);
  GET DIAGNOSTICS released = ROW_COUNT;
  RETURN released;
END $$;

-- Makes feeds due, soon if they are not yet known; for channels that somebody follows.
CREATE FUNCTION want_channels(at bigint, subscriptions text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO poll_channel AS feed(subscription, due)
    -- In one order, as above.
    SELECT wanted, at FROM (SELECT DISTINCT unnest(subscriptions) COLLATE "C" AS wanted ORDER BY wanted) AS each
  ON CONFLICT (subscription) DO UPDATE
    SET due = greatest(at, greatest(feed.requested, feed.lease_until) + 900, feed.rests_until) WHERE feed.due IS NULL
$$;

-- Makes feeds due as soon as the 15 minutes allow, because a poll was requested. One that is claimed is requested again
-- only if its request was sent before.
CREATE FUNCTION hurry_channels(at bigint, subscriptions text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE poll_channel AS feed
  SET due = CASE WHEN poller IS NULL THEN greatest(at, requested + 900, rests_until) ELSE due END,
    hurried = CASE WHEN poller IS NOT NULL THEN at END
  FROM (
    -- In one order, as above; what is due already is not written.
    SELECT subscription FROM poll_channel
    WHERE subscription = ANY(subscriptions)
      AND CASE WHEN poller IS NULL THEN due > greatest(at, requested + 900, rests_until)
        ELSE hurried IS DISTINCT FROM at END
    ORDER BY subscription FOR NO KEY UPDATE) AS later
  WHERE feed.subscription = later.subscription
$$;

-- Makes feeds that an owner follows due now, of `these` unless that is NULL, if their last requests were 15 minutes
-- ago; those first that have waited longest. Of an owner's feeds at most so many are under way at once in 15 minutes,
-- counting those that are requested anyway. Returns whether some of the feeds were due or claimed already.
--
-- Plans are kept, and one made while the tables were empty would read the whole of them.
CREATE FUNCTION hurry_followed(at bigint, the_owner bigint, these text[], most bigint) RETURNS boolean
LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  busy bigint;
  is_running boolean;
BEGIN
  SELECT count(*),
    coalesce(bool_or((due <= at OR poller IS NOT NULL) AND (these IS NULL OR subject = ANY(these))), false)
  INTO busy, is_running
  FROM wanted JOIN poll_channel ON subscription = subject
  WHERE owner = the_owner AND followed AND (due <= at OR poller IS NOT NULL OR requested > at - 900);
  PERFORM hurry_channels(at, ARRAY(
    SELECT subscription FROM wanted JOIN poll_channel ON subscription = subject
    WHERE owner = the_owner AND followed AND (these IS NULL OR subject = ANY(these))
      AND due > at AND poller IS NULL AND coalesce(requested, 0) <= at - 900 AND coalesce(rests_until, 0) <= at
    ORDER BY requested NULLS FIRST LIMIT greatest(most - busy, 0)));
  RETURN is_running;
END $$;

-- Which of these feeds somebody follows, and which kind of feed all of them want: NULL for the usual one, also if they
-- want different ones, because these do not contain each other.
CREATE FUNCTION followed_channels(
  subscriptions text[]
) RETURNS TABLE(subscription text, form text) LANGUAGE sql STABLE AS $$
  SELECT subject, CASE WHEN count(DISTINCT coalesce(form, '')) = 1 THEN max(form) END
  FROM wanted JOIN owner ON owner.n = wanted.owner
  WHERE subject = ANY(subscriptions) AND followed AND name IS NOT NULL GROUP BY subject
$$;

-- Gives up claims of feeds that nobody follows; returns these.
--
-- Two statements: whoever begins to follow one of them meanwhile locks its row, and is seen after that.
CREATE FUNCTION drop_channels(the_poller bigint, subscriptions text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM poll_channel WHERE poller = the_poller AND subscription = ANY(subscriptions)
    ORDER BY subscription FOR UPDATE;
  RETURN QUERY
    UPDATE poll_channel AS feed
    SET due = NULL, lease_until = NULL, poller = NULL, due_before = NULL, hurried = NULL
    WHERE poller = the_poller AND subscription = ANY(subscriptions)
      AND NOT EXISTS (SELECT FROM followed_channels(ARRAY[feed.subscription]))
    RETURNING feed.subscription;
END $$;

-- Makes names due, if they are not yet known.
CREATE FUNCTION want_names(at bigint, names text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO poll_name AS known(name, due)
    SELECT wanted, at FROM (SELECT DISTINCT unnest(names) COLLATE "C" AS wanted ORDER BY wanted) AS each
  ON CONFLICT (name) DO UPDATE SET due = greatest(at, known.requested + 900) WHERE known.due IS NULL
$$;

-- What a user begins to follow becomes due in the transaction that says so.
CREATE FUNCTION want_followed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  names text[];
  subscriptions text[];
BEGIN
  SELECT array_agg(subject) FILTER (WHERE left(subject, 1) IN ('@', '/')),
    array_agg(subject) FILTER (WHERE left(subject, 1) NOT IN ('@', '/'))
  INTO names, subscriptions FROM changed WHERE followed;
  IF names IS NOT NULL THEN PERFORM want_names(unix_time(), names); END IF;
  IF subscriptions IS NOT NULL THEN PERFORM want_channels(unix_time(), subscriptions); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER want_inserted AFTER INSERT ON wanted REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION want_followed();
CREATE TRIGGER want_updated AFTER UPDATE ON wanted REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION want_followed();

-- Claims names that are due, unless requests are paused. A claim that is not finished comes back 15 minutes after the
-- end of its lease.
CREATE FUNCTION claim_names(
  at bigint, the_poller bigint, of_address text, most bigint, lease bigint
) RETURNS SETOF poll_name LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF EXISTS (SELECT FROM poll_pause WHERE address IN ('', of_address)) THEN RETURN; END IF;
  RETURN QUERY
    UPDATE poll_name AS known SET poller = the_poller, due = at + lease + 900
    FROM (
      SELECT name FROM poll_name WHERE due <= at ORDER BY due LIMIT most FOR NO KEY UPDATE SKIP LOCKED) AS ready
    WHERE known.name = ready.name
    RETURNING known.*;
END $$;

-- Keeps what became of claimed names: objects with the columns of `poll_name`; `due` NULL if they were resolved.
CREATE FUNCTION finish_names(the_poller bigint, results jsonb) RETURNS void LANGUAGE sql AS $$
  UPDATE poll_name AS known
  SET due = result.due, poller = NULL, requested = result.requested, last_answer = result.last_answer,
    undecided = coalesce(result.undecided, false)
  FROM jsonb_populate_recordset(NULL::poll_name, results) AS result
  WHERE known.name = result.name AND known.poller = the_poller
$$;

-- Gives up claims of names that nobody follows; returns these. See `drop_channels`.
CREATE FUNCTION drop_names(the_poller bigint, names text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM poll_name WHERE poller = the_poller AND name = ANY(names) ORDER BY name FOR UPDATE;
  RETURN QUERY
    UPDATE poll_name AS known SET due = NULL, poller = NULL
    WHERE poller = the_poller AND name = ANY(names)
      AND NOT EXISTS (SELECT FROM followed_channels(ARRAY[known.name]))
    RETURNING known.name;
END $$;

-- Reserves `count` moments for requests from an address, `gap` milliseconds apart and none in the past; returns the
-- first one, in milliseconds since 1970.
CREATE FUNCTION take_slots(of_address text, at bigint, count bigint, gap bigint) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO poll_pace AS pace VALUES (of_address, at + count * gap)
  -- Reservations of more than ten minutes come from a clock that was set back.
  ON CONFLICT (address) DO UPDATE
    SET next = CASE WHEN pace.next BETWEEN at AND at + 600000 THEN pace.next ELSE at END + count * gap
  RETURNING next - count * gap
$$;

-- Why no request may leave from an address: of a pause, until one poller knows that it is over; NULL if one may.
CREATE FUNCTION why_paused(at bigint, the_poller bigint, of_address text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT reason FROM poll_pause
  WHERE address IN ('', of_address) AND (retry > at OR (poller <> the_poller AND probe_until > at))
  ORDER BY retry DESC LIMIT 1
$$;

-- The milliseconds since 1970 by this server's clock.
CREATE FUNCTION unix_milliseconds() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Begins or prolongs a pause: of two that are found at once, the longer one holds.
CREATE FUNCTION pause_polling(
  of_address text, for_reason text, began bigint, until bigint, seconds bigint
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO poll_pause AS pause(address, reason, since, retry, backoff)
    VALUES (of_address, for_reason, began, until, seconds)
  ON CONFLICT (address) DO UPDATE
    SET reason = excluded.reason,
      since = CASE pause.reason WHEN excluded.reason THEN least(pause.since, excluded.since) ELSE excluded.since END,
      retry = excluded.retry, backoff = excluded.backoff, poller = NULL, probe_until = NULL
    WHERE excluded.retry > pause.retry
$$;

-- Ends the pauses whose end this poller found out.
CREATE FUNCTION resume_polling(the_poller bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ended bigint;
BEGIN
  DELETE FROM poll_pause WHERE poller = the_poller;
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN ended;
END $$;

-- Adds what a poll amounted to.
CREATE FUNCTION add_run(
  at bigint, checked bigint, failed bigint, new bigint, changed bigint, gaps bigint, milliseconds bigint, bytes bigint
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO poll_run AS run VALUES (1, at, checked, failed, new, changed, gaps, milliseconds, bytes)
  ON CONFLICT (n) DO UPDATE
    SET checked = run.checked + excluded.checked, failed = run.failed + excluded.failed, new = run.new + excluded.new,
      changed = run.changed + excluded.changed, gaps = run.gaps + excluded.gaps,
      milliseconds = run.milliseconds + excluded.milliseconds, bytes = run.bytes + excluded.bytes
$$;
