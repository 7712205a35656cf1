-- Searches on YouTube, which cost more than one unit of a key of the Data API.

-- Takes `count` units of a key, before their request; returns how many are left, or NULL if there are not as many, also
-- during a pause.
CREATE FUNCTION take_units(the_key bytea, today bigint, budget bigint, count bigint) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO api_key AS known(digest, day, units) SELECT the_key, today, count WHERE budget >= count
  ON CONFLICT (digest) DO UPDATE
    SET day = CASE known.day WHEN today + 1 THEN known.day ELSE today END, units = units_taken(known, today) + count
    WHERE units_taken(known, today) + count <= budget AND coalesce(known.paused_until <= unix_time(), true)
  RETURNING budget - units
$$;
DROP FUNCTION take_unit(bytea, bigint, bigint);

-- The last searches of each user on YouTube, which use the key that all users share.
CREATE TABLE search_request(
  owner integer PRIMARY KEY REFERENCES owner ON DELETE CASCADE,
  -- When they were counted, in this order.
  times bigint[] NOT NULL) WITH (fillfactor = 50);

-- Counts a search; returns NULL if it is one of the `most` of 24 hours, else the seconds until the next one is allowed.
-- As `count_older_request`.
CREATE FUNCTION count_search_request(the_owner bigint, most bigint, at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  recent bigint[];
BEGIN
  INSERT INTO search_request VALUES (the_owner, '{}') ON CONFLICT DO NOTHING;
  SELECT ARRAY(SELECT counted FROM unnest(times) AS counted WHERE counted BETWEEN at - 86399 AND at + 60 ORDER BY counted)
  INTO recent FROM search_request WHERE owner = the_owner FOR UPDATE;
  IF cardinality(recent) >= most THEN
    RETURN least(recent[cardinality(recent) - most + 1] + 86400 - at, 86400);
  END IF;
  UPDATE search_request SET times = recent || at WHERE owner = the_owner;
  RETURN NULL;
END $$;

-- Forgets the last search that was counted, because it used no unit of the key.
CREATE FUNCTION forget_search_request(the_owner bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE search_request SET times = trim_array(times, 1) WHERE owner = the_owner AND times <> '{}'
$$;
