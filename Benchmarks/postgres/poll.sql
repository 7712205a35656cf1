-- A poller claims 32 feeds, and keeps what became of them.
SELECT jsonb_agg(jsonb_build_object(
  'subscription', subscription, 'requested', unix_time(), 'answered', unix_time(), 'last_answer', '200',
  'form', 'channel', 'newest', 1800000000, 'interval_seconds', 86400, 'due', unix_time() + 3600)) AS results
FROM claim_channels(unix_time(), :client_id + 1, '', 32, 60) \gset
SELECT finish_channels(:client_id + 1, :results);
