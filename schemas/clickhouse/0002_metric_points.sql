CREATE TABLE IF NOT EXISTS metric_points
(
    workspace_id UUID,
    metric_id    UUID,
    point_id     UUID,
    value        Float64,
    occurred_at  DateTime64(3, 'UTC'),
    received_at  DateTime64(3, 'UTC'),
    revision     UInt32 COMMENT 'Counts the values that the point has had; the row with the highest stays.'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (workspace_id, metric_id, point_id)
-- A block that is sent again under its token is dropped, as far back as this many blocks.
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'The points of metrics: one row a point, that of its last revision. Read it with FINAL.';
