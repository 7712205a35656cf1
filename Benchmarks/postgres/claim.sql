-- A poller claims feeds, 100 at a time.
SELECT count(*) FROM claim_channels(unix_time(), :client_id + 1, '', 100, 60);
