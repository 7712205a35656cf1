-- View counts, as the Data API reported them last, for all users. They change every day, so no log has them.
CREATE TABLE view_count(video bigint PRIMARY KEY, views bigint NOT NULL) WITH (fillfactor = 50);
