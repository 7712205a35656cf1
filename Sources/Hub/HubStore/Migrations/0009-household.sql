-- What a household needs of its users, as in `hub.db`: who administers the hub, how users are shown, who may use
-- nothing, and the limits of one user; NULL is the hub's own limit.
--
-- `number` is never another user's, whatever the names become. That of a removed user stays with the log.

ALTER TABLE "user"
  ADD number integer, ADD admin bigint NOT NULL DEFAULT 0, ADD display_name text NOT NULL DEFAULT '',
  ADD avatar_color text NOT NULL DEFAULT '', ADD last_login bigint, ADD disabled bigint, ADD max_subscriptions bigint,
  ADD max_requests bigint;
UPDATE "user" SET number = ordered.place
  FROM (SELECT name, row_number() OVER (ORDER BY created, name) AS place FROM "user") AS ordered
  WHERE ordered.name = "user".name;
ALTER TABLE "user" ALTER number SET NOT NULL, ADD UNIQUE (number);
ALTER TABLE owner ADD number integer;

-- The last number of a user.
ALTER TABLE setup ADD users bigint NOT NULL DEFAULT 0;
UPDATE setup SET users = (SELECT count(*) FROM "user");

-- The number of a user for whom none is given.
CREATE FUNCTION next_user_number() RETURNS integer LANGUAGE sql AS $$
  INSERT INTO setup(n, digest, failures, users) VALUES (1, '', 0, 1)
  ON CONFLICT (n) DO UPDATE SET users = setup.users + 1 RETURNING users::integer
$$;
ALTER TABLE "user" ALTER number SET DEFAULT next_user_number();

-- Codes with which a user chooses a password, once.
CREATE TABLE invitation(
  digest bytea PRIMARY KEY, "user" text NOT NULL REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE,
  ends bigint NOT NULL);

-- A user keeps everything under another name.
ALTER TABLE owner DROP CONSTRAINT owner_name_fkey,
  ADD CONSTRAINT owner_name_fkey FOREIGN KEY (name) REFERENCES "user" ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE token DROP CONSTRAINT token_user_fkey,
  ADD CONSTRAINT token_user_fkey FOREIGN KEY ("user") REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE session DROP CONSTRAINT session_user_fkey,
  ADD CONSTRAINT session_user_fkey FOREIGN KEY ("user") REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE pairing DROP CONSTRAINT pairing_user_fkey,
  ADD CONSTRAINT pairing_user_fkey FOREIGN KEY ("user") REFERENCES "user" ON UPDATE CASCADE ON DELETE CASCADE;
