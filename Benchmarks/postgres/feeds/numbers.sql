-- Numbers of all users' videos and channels, as after a first page. A video's ID is 64 bits in an alphabet that sorts.
SET search_path = metube;
SET work_mem = '256MB';
CREATE FUNCTION bench_video(id bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(
      substr('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', ((id # (1::bigint << 63)) >> shift)::bit(6)::integer + 1, 1),
      '' ORDER BY shift DESC)
    || substr('048AEIMQUYcgkosw', (id & 15)::integer + 1, 1)
  FROM generate_series(4, 58, 6) AS shift
$$;
ALTER TABLE number DROP CONSTRAINT number_pkey, DROP CONSTRAINT number_owner_kind_key_key;
BEGIN;
TRUNCATE number;
INSERT INTO number(owner, n, kind, key)
  SELECT owner, 28000000 + n, 1, bench_video(id) FROM all_video WHERE owner > 0;
INSERT INTO number(owner, n, kind, key) SELECT owner, 28100000 + n, 2, id FROM all_channel WHERE owner > 0;
COMMIT;
ALTER TABLE number ADD CONSTRAINT number_pkey PRIMARY KEY (owner, n);
ALTER TABLE number ADD CONSTRAINT number_owner_kind_key_key UNIQUE (owner, kind, key);
DROP FUNCTION bench_video;
