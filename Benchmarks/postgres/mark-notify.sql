-- The same with a notification in the transaction.
\set user random(1, :users)
BEGIN;
SELECT append_lines(:user, 'log' || :user, 'log' || :user, 1, NULL,
  convert_to(repeat('x', 199) || E'\n', 'UTF8'), '{200}',
  decode(lpad(to_hex(nextval('bench_id')), 32, '0'), 'hex'));
SELECT notify_owners(ARRAY[:user]::integer[]);
COMMIT;
