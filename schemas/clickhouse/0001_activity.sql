-- `block`: a block that is sent again is sent as a whole, so that what depends on the table gets it too if it did not
-- the first time.
CREATE TABLE IF NOT EXISTS activity
(
    workspace_id   UUID,
    event_id       UUID COMMENT 'Derived from what happened: the same event made twice is the same row.',
    kind           LowCardinality(String),
    occurred_at    DateTime64(3, 'UTC')
        COMMENT 'Of a signal''s events: when the signal was received.',
    subject_id     String
        COMMENT 'The signal, claim, Solution or Decision that it is about; empty where there is none.',
    source_id      String,
    source         String,
    channel        LowCardinality(String),
    signal_origin  LowCardinality(String),
    actor_role     LowCardinality(String),
    actor          String,
    classification LowCardinality(String),
    node_id        String,
    claim_id       String,
    tool           LowCardinality(String),
    mode           LowCardinality(String),
    step           LowCardinality(String),
    step_ordinal   UInt8 COMMENT 'Position of the step in the pipeline, from 1; 0 where there is no step.',
    outcome        LowCardinality(String),
    reason         String,
    version        LowCardinality(String) COMMENT 'The model or rule version that a step worked with.',
    attempt        UInt16,
    replay         UInt16 DEFAULT 0
        COMMENT 'Which replay of the signal it belongs to, 0 before the first: the steps are taken again.',
    duration_ms    Float64 COMMENT 'How long the step or the call took; a step in a batch counts its share.',
    elapsed_ms     Float64 COMMENT 'From the signal''s receipt to the end of the step.',
    work_units     UInt32,
    times          UInt32 DEFAULT 1
        COMMENT 'How often it happened: refused requests that are alike are one row, whatever their number.',
    trace_id       String,
    block          UInt64 DEFAULT 0
        COMMENT 'Which block of the log it came in, as a number made of the block''s token.'
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (workspace_id, occurred_at, event_id)
-- A block that is sent again under its token is dropped, as far back as this many blocks.
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'A row for each thing that happened to a signal, a source or a call.';
