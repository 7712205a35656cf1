-- A reader asks for 50 videos, of which 5 have no number yet.
\set user random(1, :users)
\set video random(1, 1000)
SELECT count(*) FROM assign_numbers(:user, 1::smallint,
  (SELECT array_agg('video' || CASE WHEN n <= 45 THEN :video + n ELSE nextval('bench_id') END)
   FROM generate_series(1, 50) AS n), 1000);
