-- How the first user of a hub is made: one row, as in `hub.db`.
--
-- `digest` is that of the code of one use which all processes share, `failures` the wrong codes so far, of all processes
-- together. Once `finished` is set, when there was a user, no code is right any more, whoever is removed later.
CREATE TABLE setup(
  n integer PRIMARY KEY CHECK (n = 1), digest bytea NOT NULL, failures bigint NOT NULL, finished bigint);

-- A hub of an earlier version that has users or had some.
INSERT INTO setup SELECT 1, '', 0, unix_time()
  WHERE EXISTS (SELECT FROM "user") OR EXISTS (SELECT FROM owner WHERE n > 0);
