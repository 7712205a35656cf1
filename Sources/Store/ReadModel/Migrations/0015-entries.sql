-- What is known of feeds of other sites alone, and of their entries, as Schema.swift has it.
CREATE TABLE all_feed(
  owner bigint NOT NULL DEFAULT current_owner(), channel bigint NOT NULL, url text COLLATE "C", url_at bytea,
  site text COLLATE "C", site_at bytea, image text COLLATE "C", image_at bytea, language text COLLATE "C",
  language_at bytea,
  -- The first decision counts.
  key_kind text COLLATE "C", key_kind_at bytea,
  PRIMARY KEY(owner, channel));
CREATE VIEW feed AS
  SELECT owner, channel, url, url_at, site, site_at, image, image_at, language, language_at, key_kind, key_kind_at
  FROM all_feed WHERE owner = current_owner();

CREATE TABLE all_feed_merge(
  feed text COLLATE "C" NOT NULL, into_feed text COLLATE "C" NOT NULL,
  owner bigint NOT NULL DEFAULT current_owner(),
  PRIMARY KEY(owner, feed, into_feed));
CREATE VIEW feed_merge AS SELECT feed, into_feed FROM all_feed_merge WHERE owner = current_owner();

-- The first 64 bits of the IDs of entries that are known but were not found.
CREATE TABLE all_known_entry(
  channel bigint NOT NULL, entry bigint NOT NULL, owner bigint NOT NULL DEFAULT current_owner(),
  PRIMARY KEY(owner, channel, entry));
CREATE VIEW known_entry AS SELECT channel, entry FROM all_known_entry WHERE owner = current_owner();

-- Entries of feeds, also those that were only decided on. Their other columns are those of `video`: `link` is the type of
-- the first of `media`, `scheduled` the date of the first sight if that was far ahead.
CREATE TABLE all_entry(
  video bigint NOT NULL, id bytea NOT NULL, key text COLLATE "C", key_at bytea, link text COLLATE "C", link_at bytea,
  media text COLLATE "C", media_at bytea, image text COLLATE "C", image_at bytea, author text COLLATE "C",
  author_at bytea, season bigint, season_at bytea, episode bigint, episode_at bytea, explicit bigint,
  explicit_at bytea, owner bigint NOT NULL DEFAULT current_owner(),
  PRIMARY KEY(owner, video));
CREATE VIEW entry AS
  SELECT video, id, key, key_at, link, link_at, media, media_at, image, image_at, author, author_at, season, season_at,
    episode, episode_at, explicit, explicit_at
  FROM all_entry WHERE owner = current_owner();

CREATE TABLE all_entry_alias(
  video bigint NOT NULL, alias bytea NOT NULL, owner bigint NOT NULL DEFAULT current_owner(),
  PRIMARY KEY(owner, video, alias));
CREATE VIEW entry_alias AS SELECT video, alias FROM all_entry_alias WHERE owner = current_owner();

-- Devices with a newer program may have sent feeds and entries that nobody projected.
DO $$
BEGIN
  IF to_regclass('log_line') IS NOT NULL THEN
    PERFORM clear_model(n) FROM owner o WHERE EXISTS (
      SELECT FROM log_line l WHERE l.owner = o.n
        AND (position('"kind":"feed'::bytea IN l.bytes) > 0 OR position('"kind":"entr'::bytea IN l.bytes) > 0
          OR position('"entry":"'::bytea IN l.bytes) > 0));
  END IF;
END $$;
