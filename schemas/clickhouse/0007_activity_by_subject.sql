-- What happened to one signal is a few rows of millions, in the order of time: the filter says of each granule which signals
-- are not in it, in about a hundred bytes for a thousand rows.
ALTER TABLE activity ADD INDEX IF NOT EXISTS activity_by_subject subject_id TYPE bloom_filter GRANULARITY 1;
ALTER TABLE activity MATERIALIZE INDEX activity_by_subject;
