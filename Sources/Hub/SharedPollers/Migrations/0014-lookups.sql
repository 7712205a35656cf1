-- View counts, as the Data API reported them last, for all users. They change every day, so no log has them.
CREATE TABLE view_count(video bigint PRIMARY KEY, views bigint NOT NULL) WITH (fillfactor = 50);

-- A video that no feed has shown to a user who decided on it. YouTube is asked for its title once for all of them, and
-- what it says is kept for 30 days, for users who decide on the video later. Claimed as in 0005-pollers.sql.
CREATE TABLE title_lookup(
  video bigint PRIMARY KEY,
  due bigint NOT NULL,
  poller integer,
  -- What YouTube says, as a JSON object with the columns of `described`; NULL if nothing yet.
  response text) WITH (fillfactor = 70);
CREATE INDEX title_lookup_due ON title_lookup(due);

-- The users in whose logs the title is missing; `ready` if `response` is to be written there.
CREATE TABLE title_request(
  video bigint NOT NULL,
  owner integer NOT NULL REFERENCES owner ON DELETE CASCADE,
  ready boolean NOT NULL,
  PRIMARY KEY (owner, video));
CREATE INDEX title_request_video ON title_request(video);
CREATE INDEX title_request_ready ON title_request(owner) WHERE ready;

-- How many lines each owner's log had when it was looked through for them, and when that was.
CREATE TABLE title_progress(
  owner integer PRIMARY KEY REFERENCES owner ON DELETE CASCADE, lines bigint NOT NULL, seen bigint NOT NULL)
  WITH (fillfactor = 50);

-- What a user decided on one by one and no feed has shown them, without a title from YouTube; as `decidedUnseen` of the
-- read model.
CREATE FUNCTION untitled(the_owner bigint) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
  SELECT q.video FROM (
    SELECT video FROM all_decision
    WHERE owner = the_owner AND (saved = 1 OR progress > 0 OR note <> '' OR status <> 'new' AND reason IS NULL)
    UNION SELECT video FROM all_collection WHERE owner = the_owner AND member = 1) AS q
  WHERE NOT EXISTS (SELECT FROM all_video AS v WHERE v.owner = the_owner AND v.id = q.video AND v.found IS NOT NULL)
    AND NOT EXISTS (
      SELECT FROM all_described AS x WHERE x.owner = the_owner AND x.video = q.video AND x.source = 'YouTube')
$$;

-- Looks through the logs of up to `most` users that grew, each once in `wait` seconds, for titles to look up; returns
-- whether there were any such logs.
CREATE FUNCTION queue_titles(most bigint, wait bigint) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  grown record;
  is_any boolean := false;
BEGIN
  FOR grown IN
    SELECT n, lines FROM owner AS o
    WHERE n > 0 AND name IS NOT NULL AND lines > 0 AND NOT EXISTS (
      SELECT FROM title_progress AS p WHERE p.owner = o.n AND (p.lines = o.lines OR p.seen > unix_time() - wait))
    ORDER BY n LIMIT most
  LOOP
    is_any := true;
    INSERT INTO title_progress VALUES (grown.n, grown.lines, unix_time())
      ON CONFLICT (owner) DO UPDATE SET lines = excluded.lines, seen = excluded.seen;
    DELETE FROM title_request AS r WHERE r.owner = grown.n AND r.video NOT IN (SELECT untitled(grown.n));
    INSERT INTO title_lookup(video, due) SELECT video, unix_time() FROM untitled(grown.n) AS video ORDER BY video
      ON CONFLICT DO NOTHING;
    INSERT INTO title_request(owner, video, ready)
      SELECT grown.n, l.video, l.response IS NOT NULL FROM untitled(grown.n) AS wanted(video)
        JOIN title_lookup AS l ON l.video = wanted.video
      ON CONFLICT (owner, video) DO UPDATE SET ready = excluded.ready;
  END LOOP;
  RETURN is_any;
END $$;

-- Claims up to `most` videos that are due, as `claim_video_lookups`; forgets those that are due and that no user's log
-- lacks.
CREATE FUNCTION claim_title_lookups(
  at bigint, the_poller bigint, most bigint, timeout bigint, lease bigint
) RETURNS SETOF title_lookup LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  DELETE FROM title_lookup AS l
    WHERE l.video IN (
      SELECT video FROM title_lookup AS d
      WHERE d.due <= at AND NOT EXISTS (SELECT FROM title_request AS r WHERE r.video = d.video)
      ORDER BY due LIMIT 500 FOR UPDATE SKIP LOCKED);
  IF NOT EXISTS (SELECT FROM title_lookup WHERE due <= at - timeout)
    AND (SELECT count(*) FROM (SELECT FROM title_lookup WHERE due <= at LIMIT most) AS ready) < most
  THEN RETURN; END IF;
  RETURN QUERY
    UPDATE title_lookup AS known SET poller = the_poller, due = at + lease
    FROM (
      SELECT video FROM title_lookup WHERE due <= at ORDER BY due LIMIT most FOR NO KEY UPDATE SKIP LOCKED) AS ready
    WHERE known.video = ready.video
    RETURNING known.*;
END $$;

-- Keeps what became of claimed videos: objects with `video`, `due` and `response`. Ignores those that another poller
-- claimed since.
CREATE FUNCTION finish_title_lookups(the_poller bigint, results jsonb) RETURNS void LANGUAGE sql AS $$
  WITH finished AS (
    UPDATE title_lookup AS known SET due = result.due, poller = NULL, response = coalesce(result.response, known.response)
    FROM jsonb_to_recordset(results) AS result(video bigint, due bigint, response text)
    WHERE known.video = result.video AND known.poller = the_poller
    RETURNING known.video, known.response)
  UPDATE title_request AS request SET ready = true
  FROM finished WHERE request.video = finished.video AND finished.response IS NOT NULL
$$;
