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
-- whether there were any such logs. At most 250 new ones of a user in an hour: who decides on thousands of videos, or of
-- invented IDs, leaves room for the others.
CREATE FUNCTION queue_titles(most bigint, wait bigint) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  grown record;
  added bigint;
  is_any boolean := false;
BEGIN
  FOR grown IN
    SELECT n, lines FROM owner AS o
    WHERE n > 0 AND name IS NOT NULL AND lines > 0 AND NOT EXISTS (
      SELECT FROM title_progress AS p WHERE p.owner = o.n AND (p.lines = o.lines OR p.seen > unix_time() - wait))
    ORDER BY n LIMIT most
  LOOP
    is_any := true;
    DELETE FROM title_request AS r WHERE r.owner = grown.n AND r.video NOT IN (SELECT untitled(grown.n));
    INSERT INTO title_lookup(video, due)
      SELECT wanted.video, unix_time() FROM untitled(grown.n) AS wanted(video)
      WHERE NOT EXISTS (SELECT FROM title_lookup AS l WHERE l.video = wanted.video) ORDER BY 1 LIMIT 250
      ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
    INSERT INTO title_progress
      VALUES (grown.n, CASE WHEN added < 250 THEN grown.lines ELSE -1 END,
        unix_time() + CASE WHEN added < 250 THEN 0 ELSE 3600 END)
      ON CONFLICT (owner) DO UPDATE SET lines = excluded.lines, seen = excluded.seen;
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

-- A playlist of which a user has every entry, which pollers keep complete: how many entries it had, when all of it was
-- read, and when its first page was.
CREATE TABLE complete_playlist(
  playlist text COLLATE "C" NOT NULL,
  owner integer NOT NULL REFERENCES owner ON DELETE CASCADE,
  total bigint NOT NULL, listed bigint NOT NULL, checked bigint NOT NULL,
  PRIMARY KEY (playlist, owner)) WITH (fillfactor = 50);
CREATE INDEX complete_playlist_owner ON complete_playlist(owner);

-- When such a playlist is read again for all its users; claimed as titles are.
CREATE TABLE playlist_lookup(playlist text COLLATE "C" PRIMARY KEY, due bigint NOT NULL, poller integer)
  WITH (fillfactor = 50);
CREATE INDEX playlist_lookup_due ON playlist_lookup(due);

-- Stores what is known of a user's playlist; with NULLs it is not kept complete any more.
CREATE FUNCTION keep_playlist(
  the_owner bigint, the_playlist text, entries bigint, listed_at bigint, checked_at bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF entries IS NULL THEN
    DELETE FROM complete_playlist WHERE playlist = the_playlist AND owner = the_owner;
    RETURN;
  END IF;
  INSERT INTO complete_playlist VALUES (the_playlist, the_owner, entries, listed_at, checked_at)
    ON CONFLICT (playlist, owner)
    DO UPDATE SET total = excluded.total, listed = excluded.listed, checked = excluded.checked;
  INSERT INTO playlist_lookup VALUES (the_playlist, checked_at + 3600) ON CONFLICT DO NOTHING;
END $$;

-- Claims a playlist that is due, for `lease` seconds.
CREATE FUNCTION claim_playlist(at bigint, the_poller bigint, lease bigint) RETURNS SETOF playlist_lookup LANGUAGE sql AS $$
  UPDATE playlist_lookup AS known SET poller = the_poller, due = at + lease
  FROM (SELECT playlist FROM playlist_lookup WHERE due <= at ORDER BY due LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS ready
  WHERE known.playlist = ready.playlist
  RETURNING known.*
$$;

-- Keeps when a claimed playlist is due again; NULL if no user has it any more. Ignores one that another poller claimed
-- since.
CREATE FUNCTION finish_playlist(the_poller bigint, the_playlist text, due_at bigint) RETURNS void LANGUAGE sql AS $$
  DELETE FROM playlist_lookup WHERE playlist = the_playlist AND poller = the_poller AND due_at IS NULL
    AND NOT EXISTS (SELECT FROM complete_playlist WHERE playlist = the_playlist);
  UPDATE playlist_lookup SET due = coalesce(due_at, unix_time() + 3600), poller = NULL
    WHERE playlist = the_playlist AND poller = the_poller
$$;

-- What users wanted looked up goes with them.
CREATE FUNCTION forget_owner_lookups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM title_request WHERE owner = NEW.n;
  DELETE FROM title_progress WHERE owner = NEW.n;
  DELETE FROM complete_playlist WHERE owner = NEW.n;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_owner_lookups AFTER UPDATE OF removed ON owner
  FOR EACH ROW WHEN (NEW.removed IS NOT NULL) EXECUTE FUNCTION forget_owner_lookups();
