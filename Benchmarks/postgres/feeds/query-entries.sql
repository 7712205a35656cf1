-- What a reader's page of 50 entries takes besides: when each was found and changed, the texts of the descriptions, and the
-- numbers of channels and tags.
SELECT v.found, max(max(v.found, coalesce(v.changed, v.found)),
  max(coalesce(d.status_at, v.found), coalesce(d.saved_at, v.found))), v.id,
  (SELECT id FROM entry WHERE video = v.id)
FROM unnest(CAST(:videos AS bigint[])) one(id)
  JOIN LATERAL (SELECT * FROM video WHERE id = one.id LIMIT 1) v ON true
  LEFT JOIN LATERAL (SELECT * FROM decision WHERE owner = :user AND video = one.id LIMIT 1) d ON true;
SELECT array_agg(text_offset)::text AS starts, array_agg(text_length)::text AS lengths, array_agg(1)::text AS logs
FROM video WHERE id IN (SELECT unnest(CAST(:videos AS bigint[]))) \gset
SELECT place.n, substr(l.bytes, CAST(place.start - l.start + 1 AS integer), CAST(place.length AS integer))
FROM unnest(CAST(:logs AS bigint[]), CAST(:starts AS bigint[]), CAST(:lengths AS bigint[])) WITH ORDINALITY
    AS place(log, start, length, n)
  JOIN LATERAL line_at(place.log, place.start) l ON true
WHERE l.owner IN (0, :user);
SELECT assigned FROM assign_numbers(:user, 2, (
  SELECT array_agg(DISTINCT c.id) FROM video v JOIN channel c ON c.n = v.channel
  WHERE v.id IN (SELECT unnest(CAST(:videos AS bigint[])))), 28000000);
SELECT assigned FROM assign_numbers(:user, 3, ARRAY[''], 28000000);
