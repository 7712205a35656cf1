-- Makes the tables ready for rows in bulk: takes their indexes away, which indexes.sql makes again, and makes tables of
-- what only the benchmark needs.
SET search_path = metube;
CREATE TABLE bench_index AS
  SELECT class.relname AS indexed, index.indexrelid::regclass::text AS name,
    CASE WHEN bound.oid IS NULL THEN pg_get_indexdef(index.indexrelid)
      ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', class.relname, bound.conname, pg_get_constraintdef(bound.oid))
      END AS definition,
    CASE WHEN bound.oid IS NULL THEN format('DROP INDEX %s', index.indexrelid::regclass)
      ELSE format('ALTER TABLE %I DROP CONSTRAINT %I', class.relname, bound.conname) END AS removal
  FROM pg_index AS index JOIN pg_class AS class ON class.oid = index.indrelid
    LEFT JOIN pg_constraint AS bound ON bound.conindid = index.indexrelid AND bound.contype IN ('p', 'u')
  WHERE class.relnamespace = 'metube'::regnamespace AND class.relname IN (
    'log_line', 'catalogue_subject', 'wanted', 'all_video', 'all_title', 'all_words', 'all_listing', 'all_channel',
    'all_subscription', 'all_event', 'all_decision', 'all_tally');
SELECT removal FROM bench_index \gexec

-- Columns as `HubRows` describes them.
CREATE UNLOGGED TABLE bench_channel(
  n bigint, id text COLLATE "C", name text COLLATE "C", named bytea, line bigint, subject bigint);
CREATE UNLOGGED TABLE bench_follow(owner integer, place integer, channel bigint, followed bytea, line bigint);
CREATE UNLOGGED TABLE bench_mark(owner integer, video bigint, marked bytea, line bigint);

-- Of an event's ID: its second, and its device as a number.
CREATE FUNCTION bench_second(id bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || encode(substr(id, 1, 6), 'hex'))::bit(48)::bigint / 1000
$$;
CREATE FUNCTION bench_device(id bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || encode(substr(id, 9, 8), 'hex'))::bit(64)::bigint
$$;
