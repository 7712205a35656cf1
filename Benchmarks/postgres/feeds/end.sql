-- Removes what only the loading needed.
SET search_path = metube;
DROP TABLE bench_index, bench_channel, bench_follow, bench_mark;
DROP FUNCTION bench_second, bench_device;
