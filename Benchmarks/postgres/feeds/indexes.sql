-- Makes the indexes of a table again.
SET search_path = metube;
SELECT definition FROM bench_index WHERE indexed = :'table' ORDER BY name \gexec
