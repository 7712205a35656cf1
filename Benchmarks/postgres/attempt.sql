-- Somebody logs in.
\set user random(1, :users)
SELECT count_attempt('login user' || :user, 1, 5, unix_time());
