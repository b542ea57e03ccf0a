CREATE TABLE IF NOT EXISTS metric_points
(
    workspace_id UUID,
    metric_id    UUID,
    point_id     UUID,
    value        Float64,
    occurred_at  DateTime64(3, 'UTC'),
    received_at  DateTime64(3, 'UTC'),
    revision     UInt32
)
-- One row a point, that of its last revision; read it with FINAL.
ENGINE = ReplacingMergeTree(revision)
ORDER BY (workspace_id, metric_id, point_id)
-- A block that is sent again under its token is dropped, as far back as this many blocks.
SETTINGS non_replicated_deduplication_window = 10000;
