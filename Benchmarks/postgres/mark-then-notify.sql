-- The same with a notification in a transaction of its own.
\set user random(1, :users)
SELECT append_lines(:user, 'log' || :user, 'log' || :user, 1, NULL,
  convert_to(repeat('x', 199) || E'\n', 'UTF8'), '{200}',
  decode(lpad(to_hex(nextval('bench_id')), 32, '0'), 'hex'));
BEGIN;
SET LOCAL synchronous_commit = off;
SELECT notify_owners(ARRAY[:user]::integer[]);
COMMIT;
