-- A poller appends what 32 feeds reported, a line of 1.2 KB each, to the catalogue.
SELECT append_lines(0, 'benchlog', 'benchlog', 1, NULL,
  convert_to(string_agg(repeat(md5(n::text), 37) || E'\n', ''), 'UTF8'), array_agg(1185),
  string_agg(decode(lpad(to_hex(nextval('bench_id')), 32, '0'), 'hex'), ''))
FROM generate_series(1, 32) AS n;
