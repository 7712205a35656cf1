-- What is of no log: users, their sessions and tokens, numbers, limits and notifications.
--
-- The tables of accounts are those of `hub.db`.

CREATE TABLE "user"(name text COLLATE "C" PRIMARY KEY, hash text NOT NULL, created bigint NOT NULL);
ALTER TABLE owner ADD FOREIGN KEY (name) REFERENCES "user" ON DELETE SET NULL;

CREATE TABLE token(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "user" text NOT NULL REFERENCES "user" ON DELETE CASCADE,
  name text NOT NULL, digest bytea NOT NULL UNIQUE, scope text NOT NULL, created bigint NOT NULL, used bigint,
  device text UNIQUE);
CREATE INDEX token_owner ON token("user");

CREATE TABLE session(
  id text COLLATE "C" PRIMARY KEY, "user" text NOT NULL REFERENCES "user" ON DELETE CASCADE, digest bytea NOT NULL,
  ends bigint NOT NULL, agent text NOT NULL DEFAULT '', used bigint NOT NULL DEFAULT 0);
CREATE INDEX session_owner ON session("user");
CREATE INDEX session_ends ON session(ends);

CREATE TABLE pairing(
  digest bytea PRIMARY KEY, "user" text NOT NULL REFERENCES "user" ON DELETE CASCADE, ends bigint NOT NULL);

CREATE TABLE push(
  channel text COLLATE "C" PRIMARY KEY, callback text NOT NULL UNIQUE, secret text NOT NULL, hub text NOT NULL,
  topic text NOT NULL, pending text, sent bigint NOT NULL, retry bigint NOT NULL, failures bigint NOT NULL,
  lease_end bigint, lease_length bigint, pushed bigint);

-- The web process that sends requests to WebSub hubs, and until when: one row.
CREATE TABLE push_keeper(
  n integer PRIMARY KEY CHECK (n = 1), process text NOT NULL, until bigint NOT NULL) WITH (fillfactor = 50);

-- Makes a process the one that sends requests to WebSub hubs, for so many seconds; returns whether it is.
CREATE FUNCTION keep_pushes(the_process text, seconds bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO push_keeper AS keeper VALUES (1, the_process, unix_time() + seconds)
  ON CONFLICT (n) DO UPDATE SET process = excluded.process, until = excluded.until
    WHERE keeper.process = excluded.process OR keeper.until <= unix_time();
  RETURN FOUND;
END $$;

-- Until when the news of channels is announced; none while no process renews leases, for an hour or more: then nobody
-- receives what is announced.
CREATE FUNCTION pushed_channels(
  channels text[]
) RETURNS TABLE(subscription text, until bigint) LANGUAGE sql STABLE AS $$
  SELECT channel, lease_end FROM push
  WHERE channel = ANY(channels) AND lease_end > unix_time()
    AND EXISTS (SELECT FROM push_keeper AS keeper WHERE keeper.until > unix_time() - 3600)
$$;

-- Channels that are followed or subscribed to, in order after one: whether anybody follows each, and what its feed says
-- of where its news is announced.
--
-- Plans are kept, and one made while the tables were empty would read the whole of them.
CREATE FUNCTION push_candidates(
  after text, most bigint
) RETURNS TABLE(channel text, followed boolean, feed_hub text, feed_topic text)
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  SELECT key.channel,
    EXISTS (
      SELECT FROM wanted JOIN owner ON owner.n = wanted.owner
      WHERE subject = key.channel AND wanted.followed AND name IS NOT NULL),
    feed.hub, feed.topic
  FROM (
    (SELECT subscription AS channel FROM poll_channel
      WHERE subscription > greatest(after COLLATE "C", 'UC') AND subscription < 'UD' AND due IS NOT NULL
      ORDER BY 1 LIMIT most)
    UNION (SELECT push.channel FROM push WHERE push.channel > after ORDER BY 1 LIMIT most)
    ORDER BY 1 LIMIT most) AS key
  LEFT JOIN poll_channel AS feed ON feed.subscription = key.channel
$$;

-- Integers for what readers and apps know by number, per owner; see `NumberStore`.
CREATE TABLE number_counter(
  owner integer PRIMARY KEY REFERENCES owner, last integer NOT NULL,
  -- The last row of the owner's videos when all up to it had numbers, and of which filling of the tables it is.
  numbered bigint NOT NULL DEFAULT 0, filling bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50);
CREATE TABLE number(
  owner integer NOT NULL, n integer NOT NULL CHECK (n > 0), kind smallint NOT NULL, key text COLLATE "C" NOT NULL,
  PRIMARY KEY (owner, n), UNIQUE (owner, kind, key));

-- The numbers of keys, in their order; those without one get the next ones. `beyond`, the seconds since 2026, keeps
-- them above those assigned after the moment to which a database was restored.
--
-- Plans are kept, and one made while the table was empty would read the whole of it.
CREATE FUNCTION assign_numbers(
  the_owner bigint, of_kind bigint, keys text[], beyond bigint
) RETURNS TABLE(wanted text, assigned integer) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  highest bigint;
BEGIN
  FOREACH wanted IN ARRAY keys LOOP
    SELECT n INTO assigned FROM number WHERE owner = the_owner AND kind = of_kind AND key = wanted;
    IF assigned IS NULL AND highest IS NULL THEN
      INSERT INTO number_counter(owner, last) VALUES (the_owner, 0) ON CONFLICT (owner) DO NOTHING;
      SELECT greatest(last, beyond) INTO highest FROM number_counter WHERE owner = the_owner FOR UPDATE;
      -- Another process may have assigned one while this one waited.
      SELECT n INTO assigned FROM number WHERE owner = the_owner AND kind = of_kind AND key = wanted;
    END IF;
    IF assigned IS NULL THEN
      highest := highest + 1;
      assigned := highest;
      INSERT INTO number VALUES (the_owner, assigned, of_kind, wanted);
    END IF;
    RETURN NEXT;
  END LOOP;
  IF highest IS NOT NULL THEN
    UPDATE number_counter SET last = greatest(last, (SELECT max(n) FROM number WHERE owner = the_owner))
    WHERE owner = the_owner;
  END IF;
END $$;

-- What each installation of the MeTube app registered last; see `AppLists`.
CREATE TABLE app(
  owner integer NOT NULL REFERENCES owner, id text COLLATE "C" NOT NULL, channels text NOT NULL,
  PRIMARY KEY (owner, id));

-- Who has the log of a device.
CREATE INDEX log_name ON log(name);

-- How often something happened in a minute, by key. Lost in a crash.
CREATE UNLOGGED TABLE attempt(key text COLLATE "C" PRIMARY KEY, began bigint NOT NULL, count integer NOT NULL);
CREATE INDEX attempt_began ON attempt(began);

-- Counts that it happened some times; returns NULL if it may, else after how many seconds to try again.
CREATE FUNCTION count_attempt(the_key text, times bigint, most bigint, at bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  counted attempt;
BEGIN
  INSERT INTO attempt VALUES (the_key, at, times)
  ON CONFLICT (key) DO UPDATE SET
    began = CASE WHEN attempt.began BETWEEN at - 59 AND at THEN attempt.began ELSE at END,
    count = CASE WHEN attempt.began BETWEEN at - 59 AND at THEN least(attempt.count, 1000000) ELSE 0 END + times
  RETURNING * INTO counted;
  -- The first of a minute removes a few that are over.
  IF counted.count = times THEN
    DELETE FROM attempt WHERE key IN (
      SELECT key FROM attempt WHERE began < at - 60 ORDER BY began LIMIT 10 FOR UPDATE SKIP LOCKED);
  END IF;
  RETURN CASE WHEN counted.count > most THEN greatest(1, counted.began + 60 - at) END;
END $$;

-- Notifies listeners of `metube_log` that these owners' logs grew. Call it in a transaction of its own after the
-- commit, with `SET LOCAL synchronous_commit = off`: commits that notify wait for each other.
CREATE FUNCTION notify_owners(owners integer[]) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('metube_log', n::text) FROM unnest(owners) AS n
$$;

-- Deletes up to `most` rows of what a removed user left, of one user and one table at a time: all that the log can fill
-- again ('model'), or the log and the numbers too ('all'). Returns how many, counting the end of a user's as one: 0 if
-- nothing is left, or if another process does the same.
--
-- Nothing is written for a removed owner any more but what a request had begun. What refers to the owner's row waits for
-- its lock or is waited for, and nobody gets a number without `number_counter`, which therefore goes first.
CREATE FUNCTION clear_removed(most bigint) RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  target owner;
  left_rows regclass;
  deleted bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('removed users of ' || current_schema(), 0)) THEN
    RETURN 0;
  END IF;
  SELECT * INTO target FROM owner WHERE clearing IS NOT NULL ORDER BY n LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  FOR left_rows IN
    SELECT oid FROM pg_class
    WHERE relkind = 'r' AND relname LIKE 'all\_%' AND relnamespace = current_schema()::regnamespace
    UNION ALL SELECT unnest('{wanted,device_line,device_log,device_copy,staged_part}'::regclass[])
    UNION ALL SELECT unnest('{number_counter,number,app,log_line,log}'::regclass[]) WHERE target.clearing = 'all'
  LOOP
    EXECUTE format('DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE owner = $1 LIMIT $2))',
      left_rows) USING target.n, most;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    IF deleted > 0 THEN RETURN deleted; END IF;
  END LOOP;
  IF target.clearing = 'all' THEN
    DELETE FROM owner WHERE n = target.n;
  ELSE
    UPDATE owner SET clearing = NULL, fillings = fillings + 1 WHERE n = target.n;
  END IF;
  RETURN 1;
END $$;

-- What a removed user's log is called: `ann-20261123T045532Z`, as the folder of one who had files.
CREATE FUNCTION removed_name(which owner) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT which.former || '-' || to_char(to_timestamp(which.removed) AT TIME ZONE 'UTC', 'YYYYMMDD"T"HH24MISS"Z"')
$$;

-- Counts what is in the tables after many rows came at once: without that a search may read every word of the catalogue.
CREATE FUNCTION analyze_tables() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  filled regclass;
BEGIN
  FOR filled IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace LOOP
    EXECUTE format('ANALYZE %s', filled);
  END LOOP;
END $$;
