-- An owner's preferences, as Schema.swift has them.
CREATE TABLE all_preference(
  owner bigint NOT NULL DEFAULT current_owner(), name text COLLATE "C" NOT NULL,
  -- Empty for all channels.
  channel text COLLATE "C" NOT NULL,
  -- NULL once it is unset.
  value text COLLATE "C", value_at bytea NOT NULL);
CREATE UNIQUE INDEX preference_key ON all_preference(owner, indexed(name), channel);
CREATE VIEW preference AS
  SELECT owner, name, channel, value, value_at FROM all_preference WHERE owner = current_owner();

-- Channels whose Shorts are hidden although the person shows those of others have a mark of their own, 8.
DROP VIEW subscription;
ALTER TABLE all_subscription DROP COLUMN marks;
ALTER TABLE all_subscription ADD COLUMN marks bigint NOT NULL GENERATED ALWAYS AS (
  coalesce(followed, 0) + CASE WHEN coalesce(shorts = 'show', feed = 'shorts') THEN 2 ELSE 0 END
  + CASE WHEN live = 'hide' THEN 4 ELSE 0 END + CASE WHEN shorts = 'hide' THEN 8 ELSE 0 END) STORED;
CREATE VIEW subscription AS
  SELECT owner, channel, followed, followed_at, title, title_at, tags, tags_at, feed, feed_at, shorts, shorts_at,
    live, live_at, list_order, list_order_at, seen_before, seen_before_at, marks
  FROM all_subscription WHERE owner = current_owner();

-- Devices with a newer program may have sent preferences that nobody projected.
DO $$
BEGIN
  IF to_regclass('log_line') IS NOT NULL THEN
    PERFORM clear_model(n) FROM owner o WHERE EXISTS (
      SELECT FROM log_line l WHERE l.owner = o.n AND position('"kind":"preferenceSet"'::bytea IN l.bytes) > 0);
  END IF;
END $$;
