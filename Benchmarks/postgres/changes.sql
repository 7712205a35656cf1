-- 100 lines of the catalogue after a place that is somewhere in it.
\set place random(1, :lines)
SELECT number, log, start, bytes FROM log_line WHERE owner = 0 AND number > :place ORDER BY number LIMIT 100;
