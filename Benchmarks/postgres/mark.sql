-- A user marks a video: one line of 200 bytes.
\set user random(1, :users)
SELECT append_lines(:user, 'log' || :user, 'log' || :user, 1, NULL,
  convert_to(repeat('x', 199) || E'\n', 'UTF8'), '{200}',
  decode(lpad(to_hex(nextval('bench_id')), 32, '0'), 'hex'));
