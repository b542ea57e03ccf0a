-- One mutation takes away what is known of all signals of an erasure, however many.
CREATE TABLE IF NOT EXISTS erased_subjects
(
    workspace_id UUID,
    erasure_id   UUID,
    subject_id   String
)
ENGINE = MergeTree
ORDER BY (erasure_id, subject_id)
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'The signals of an erasure under way. They go with its end.';
