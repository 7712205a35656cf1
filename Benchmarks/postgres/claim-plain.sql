-- The least SQL that claims: without a quarter of an hour, leases that come back, pauses and constraints.
UPDATE plain_channel AS feed SET due = due + 86400, poller = :client_id
FROM (SELECT subscription FROM plain_channel WHERE due <= 1800000000 ORDER BY due LIMIT 100 FOR UPDATE SKIP LOCKED)
  AS ready
WHERE feed.subscription = ready.subscription;
