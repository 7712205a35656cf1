-- The logs of all owners, line by line as log files hold them.
--
-- The lines of an owner are numbered without gaps, in the order in which their transactions commit: numbers come from
-- the owner's row, which is locked from the decision to the commit. Whatever a reader sees of an owner is therefore the
-- beginning of what anybody will ever see, and "the lines after this number" skips nothing, however late a transaction
-- commits.

-- A log is what one device wrote: a file `name`.jsonl.
CREATE TABLE log(
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner integer NOT NULL REFERENCES owner,
  name text COLLATE "C" NOT NULL,
  device text NOT NULL,
  generation integer NOT NULL CHECK (generation > 0),
  -- In bytes.
  length bigint NOT NULL DEFAULT 0,
  -- Whether a line is none that anybody wrote so; such a log came with a move, and is exchanged with nobody.
  damaged boolean NOT NULL DEFAULT false,
  UNIQUE (owner, name)) WITH (fillfactor = 50);

CREATE TABLE log_line(
  log integer NOT NULL,
  -- Where the line begins in its file. A line's place is (log, start), as it is (file, offset) with files.
  start bigint NOT NULL,
  owner integer NOT NULL,
  -- 1 for the owner's first line.
  number bigint NOT NULL,
  -- The event's ID, 16 bytes that compare like IDs. NULL if another line of the owner has this event already: of a
  -- copied log both files are kept, and each event counts once.
  id bytea,
  -- With its newline.
  bytes bytea NOT NULL,
  PRIMARY KEY (log, start));
CREATE UNIQUE INDEX log_line_number ON log_line(owner, number);
CREATE UNIQUE INDEX log_line_id ON log_line(owner, id) WHERE id IS NOT NULL;

-- Whole logs that arrive in parts, until all of one is there; see `DeviceLogs.stage`.
CREATE TABLE staged_part(
  owner integer NOT NULL REFERENCES owner, device text COLLATE "C" NOT NULL,
  -- Length and checksum of the whole.
  wanted text NOT NULL,
  start bigint NOT NULL, bytes bytea NOT NULL,
  -- Seconds since 1970.
  added bigint NOT NULL,
  PRIMARY KEY (owner, device, start));

-- What a user sees of the catalogue as logs that only grow, for the user's devices: each of the catalogue's logs that
-- has such lines is one, with a negative number. `bytes` is NULL where the line is the catalogue's own.
CREATE TABLE device_log(
  owner integer NOT NULL REFERENCES owner, n integer NOT NULL CHECK (n < 0), name text COLLATE "C" NOT NULL,
  device text NOT NULL, length bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (owner, n)) WITH (fillfactor = 50);
CREATE TABLE device_line(
  owner integer NOT NULL, log integer NOT NULL, start bigint NOT NULL, number bigint NOT NULL, bytes bytea,
  PRIMARY KEY (owner, log, start), UNIQUE (owner, number));
-- How far the catalogue was looked through for it, and how much was wanted then.
CREATE TABLE device_copy(
  owner integer PRIMARY KEY REFERENCES owner, catalogue bigint NOT NULL, wanted bigint NOT NULL)
  WITH (fillfactor = 50);

-- All logs of an owner as devices exchange them, and their lines.
CREATE VIEW exchanged_log AS
  SELECT owner, n, name, device, generation, length, damaged FROM log
  UNION ALL SELECT owner, n, name, device, 1, length, false FROM device_log;
CREATE VIEW exchanged_line AS
  SELECT owner, log, start, bytes, id FROM log_line
  UNION ALL
  SELECT copy.owner, copy.log, copy.start, coalesce(copy.bytes, line.bytes), NULL
  FROM device_line AS copy JOIN log_line AS line ON line.owner = 0 AND line.number = copy.number;

-- Appends lines to a log, which is created if absent: the lines one after the other, the length of each, and their
-- event IDs, 16 bytes each, zeros for a line without one. Returns the number of the first one; NULL, with nothing done,
-- if the log is not `at_length` bytes long (NULL: however long it is) or is another device's or of another generation.
--
-- Plans are kept, and one made while the tables were empty would read the whole of them.
CREATE FUNCTION append_lines(
  the_owner bigint, log_name text, of_device text, of_generation bigint, at_length bigint,
  text_of_lines bytea, lengths integer[], ids bytea
) RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  count bigint := cardinality(lengths);
  before bigint := lock_owner(the_owner);
  target log;
BEGIN
  IF before IS NULL THEN
    RAISE EXCEPTION 'no owner %', the_owner USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF octet_length(ids) <> 16 * count
    OR octet_length(text_of_lines) <> (SELECT coalesce(sum(length), 0) FROM unnest(lengths) AS length)
  THEN
    RAISE EXCEPTION 'lengths that are not those of the lines' USING ERRCODE = 'data_exception';
  END IF;
  SELECT * INTO target FROM log WHERE owner = the_owner AND name = log_name;
  IF NOT FOUND THEN
    IF at_length > 0 THEN RETURN NULL; END IF;
    INSERT INTO log(owner, name, device, generation) VALUES (the_owner, log_name, of_device, of_generation)
      RETURNING * INTO target;
  ELSIF target.device <> of_device OR target.generation <> of_generation OR target.length <> at_length THEN
    RETURN NULL;
  END IF;
  UPDATE owner SET lines = lines + count WHERE n = the_owner;
  UPDATE log SET length = length + octet_length(text_of_lines),
      damaged = damaged OR position('\x00000000000000000000000000000000'::bytea IN ids) % 16 = 1
    WHERE n = target.n;
  INSERT INTO log_line(log, start, owner, number, id, bytes)
    SELECT target.n, target.length + line.at, the_owner, before + line.number,
      CASE WHEN row_number() OVER (PARTITION BY line.id ORDER BY line.number) = 1
        -- Not EXISTS: the plan may be to collect all IDs of the owner first.
        AND (SELECT 1 FROM log_line AS other WHERE other.owner = the_owner AND other.id = line.id) IS NULL
        THEN line.id END,
      substr(text_of_lines, line.at::integer + 1, line.length)
    FROM (
      SELECT number, length, sum(length) OVER (ORDER BY number) - length AS at,
        nullif(substr(ids, 16 * (number::integer - 1) + 1, 16), '\x00000000000000000000000000000000'::bytea) AS id
      FROM unnest(lengths) WITH ORDINALITY AS each(length, number)) AS line;
  RETURN before + 1;
END $$;

-- The line in which a byte of a log lies.
CREATE FUNCTION line_at(the_log bigint, position_in_log bigint) RETURNS log_line LANGUAGE sql STABLE AS $$
  SELECT * FROM log_line WHERE log = the_log AND start <= position_in_log ORDER BY start DESC LIMIT 1
$$;

-- Changes whenever numbers may have gone back: when the cluster is another one, as after restoring a dump, and when it
-- began another timeline, as after restoring to a point in time or promoting a standby. A token that a client keeps
-- holds it.
CREATE FUNCTION era() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (pg_control_system()).system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
$$;

-- The seconds since 1970 by this server's clock, the one that all processes share.
CREATE FUNCTION unix_time() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()))::bigint
$$;

-- What an owner's log names, and therefore sees of the catalogue: subscriptions, names, and videos that the log itself
-- reports, as `v:` and their IDs. Also who follows a feed. Texts too long for an index are cut, as in `indexed`.
CREATE TABLE wanted(
  owner integer NOT NULL,
  subject text COLLATE "C" NOT NULL,
  followed boolean NOT NULL,
  -- Which kind of feed of a channel the owner wants; NULL for the usual one.
  form text COLLATE "C",
  PRIMARY KEY (owner, subject));
CREATE INDEX wanted_subject ON wanted(subject);

-- Under which subjects each line of the catalogue stands, also those that a video was shown by before; runs under ''.
CREATE TABLE catalogue_subject(
  subject text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (subject, number));
CREATE INDEX catalogue_subject_number ON catalogue_subject(number);

-- Files lines of the catalogue: the subjects of lines beside the numbers of these, then the subjects that are videos. A
-- line about a video also stands where earlier ones about it do, so that who follows any of its sources finds it.
CREATE FUNCTION file_lines(
  subjects text[], numbers bigint[], videos text[], numbers_of_videos bigint[]
) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO catalogue_subject SELECT indexed(subject), number FROM unnest(subjects, numbers) AS line(subject, number)
    ON CONFLICT DO NOTHING;
  INSERT INTO catalogue_subject
    SELECT DISTINCT other.subject, line.number FROM unnest(videos, numbers_of_videos) AS line(subject, number)
      JOIN catalogue_subject AS earlier ON earlier.subject = line.subject AND earlier.number < line.number
      JOIN catalogue_subject AS other ON other.number = earlier.number
    ON CONFLICT DO NOTHING;
END $$;

-- The numbers of the catalogue's lines that concern an owner, after one number and up to another; of further subjects
-- from the first line on. Of runs, which concern everybody, the last ones.
--
-- Plans are kept, and one that did not know the numbers would read all lines of the subjects, or all subjects.
CREATE FUNCTION lines_for(
  the_owner bigint, after bigint, up_to bigint, further text[], runs bigint
) RETURNS SETOF bigint LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY
    SELECT line.number FROM wanted JOIN catalogue_subject AS line ON line.subject = wanted.subject
    WHERE wanted.owner = the_owner AND line.number > after AND line.number <= up_to
    UNION
    SELECT line.number FROM unnest(further) AS wanted(subject)
      JOIN catalogue_subject AS line ON line.subject = indexed(wanted.subject)
    WHERE line.number <= up_to
    UNION
    (SELECT line.number FROM catalogue_subject AS line
      JOIN log_line ON log_line.owner = 0 AND log_line.number = line.number
    WHERE line.subject = '' AND line.number > after AND line.number <= up_to
    ORDER BY log_line.id DESC NULLS LAST LIMIT runs);
END $$;

-- Empties the read model of an owner, to be filled from the log again. What the log names stays wanted meanwhile, or
-- pollers would give feeds up.
CREATE FUNCTION clear_model(the_owner bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  all_rows regclass;
BEGIN
  PERFORM lock_owner(the_owner);
  FOR all_rows IN
    SELECT oid FROM pg_class
    WHERE relkind = 'r' AND relname LIKE 'all\_%' AND relnamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('DELETE FROM %s WHERE owner = $1', all_rows) USING the_owner;
  END LOOP;
  IF the_owner = 0 THEN
    DELETE FROM catalogue_subject;
  END IF;
  UPDATE owner SET filed = 0, fillings = fillings + 1 WHERE n = the_owner;
END $$;
