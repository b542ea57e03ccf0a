CREATE TABLE IF NOT EXISTS activity
(
    workspace_id   UUID,
    event_id       UUID,
    kind           LowCardinality(String),
    occurred_at    DateTime64(3, 'UTC'),
    subject_id     String,
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
    step_ordinal   UInt8,
    outcome        LowCardinality(String),
    reason         String,
    version        LowCardinality(String),
    attempt        UInt16,
    duration_ms    Float64,
    elapsed_ms     Float64,
    work_units     UInt32,
    trace_id       String
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (workspace_id, occurred_at, event_id)
-- A block that is sent again under its token is dropped, as far back as this many blocks.
SETTINGS non_replicated_deduplication_window = 10000;
