-- Users with a token each, whose secret is `mth_` and the user's name, and the owners of logs. After the lines.
SET search_path = metube;
INSERT INTO "user"(name, hash, created) SELECT 'user' || n, '*', unix_time() FROM generate_series(1, :users) AS n;
INSERT INTO token("user", name, digest, scope, created, used)
  SELECT 'user' || n, 'bench', sha256(convert_to('mth_user' || n, 'UTF8')), 'write', unix_time(), unix_time()
  FROM generate_series(1, :users) AS n;
INSERT INTO owner(n, device) VALUES (0, 'bench000');
INSERT INTO owner(n, name, device) SELECT n, 'user' || n, 'u' || lpad(n::text, 7, '0') FROM generate_series(1, :users) AS n;
INSERT INTO log(n, owner, name, device, generation) OVERRIDING SYSTEM VALUE
  SELECT n + 1, n, device, device, 1 FROM owner;
UPDATE log SET length = (
  SELECT start + octet_length(bytes) FROM log_line WHERE log = log.n ORDER BY start DESC LIMIT 1);
UPDATE owner SET lines = (SELECT number FROM log_line WHERE owner = owner.n ORDER BY number DESC LIMIT 1);
UPDATE owner SET filed = lines WHERE n = 0;
SELECT setval(pg_get_serial_sequence('owner', 'n'), :users);
SELECT setval(pg_get_serial_sequence('log', 'n'), :users + 1);
-- As far as the tables of the read model reach: the own lines, the catalogue's, and the latest event that counts.
INSERT INTO all_meta
  SELECT n, 'coverage', convert_to(
    lines || ' ' || CASE n WHEN 0 THEN 0 ELSE (SELECT lines FROM owner WHERE n = 0) END || ' '
      || (unix_time() + 86400) * 1000, 'UTF8')
  FROM owner;
-- The numbers that numbers.sql assigned.
INSERT INTO number_counter(owner, last, numbered)
  SELECT n, 28200000, (SELECT max(n) FROM all_video WHERE owner = owner.n) FROM owner WHERE n > 0;
