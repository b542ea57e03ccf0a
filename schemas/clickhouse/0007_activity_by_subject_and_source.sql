-- What happened to one signal, or at a source that is silent by now, is a few rows of millions, in the order of time: the
-- filters say of each granule whom it has nothing of, in a few bytes for each.
ALTER TABLE activity ADD INDEX IF NOT EXISTS activity_by_subject subject_id TYPE bloom_filter GRANULARITY 1;
ALTER TABLE activity ADD INDEX IF NOT EXISTS activity_by_source source_id TYPE bloom_filter GRANULARITY 1;
ALTER TABLE activity MATERIALIZE INDEX IF EXISTS activity_by_subject;
ALTER TABLE activity MATERIALIZE INDEX IF EXISTS activity_by_source;
