-- Where the lines of events stand that are looked up by what they are about.
SET search_path = metube;
SET work_mem = '256MB';
BEGIN;
TRUNCATE all_event;
INSERT INTO all_event(subject, file, line, owner) SELECT subject, 1, line, 0 FROM bench_channel;
INSERT INTO all_event(subject, file, line, owner)
  SELECT subject, 1, channel.line, owner FROM bench_follow JOIN bench_channel AS channel ON n = channel ORDER BY owner, place;
INSERT INTO all_event(subject, file, line, action, device, owner)
  SELECT subject, owner + 1, follow.line, first_value(followed) OVER (PARTITION BY owner ORDER BY place),
    bench_device(followed), owner
  FROM bench_follow AS follow JOIN bench_channel ON n = channel;
INSERT INTO all_event(subject, file, line, action, device, owner)
  SELECT video, owner + 1, line, marked, bench_device(marked), owner FROM bench_mark ORDER BY marked;
COMMIT;
