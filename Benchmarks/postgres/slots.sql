-- A poller reserves moments for ten requests of the address that all share.
SELECT take_slots('', unix_time() * 1000, 10, 500);
