-- A sender's retry is the same signal, received once more, and its events must be found under the time of those that
-- are there. Small granules, since it is only ever asked for single signals.
CREATE TABLE IF NOT EXISTS first_receipts
(
    workspace_id UUID,
    signal_id    UUID,
    received_at  SimpleAggregateFunction(min, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, signal_id)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'When each signal was first received, however often its sender sent it again.';

-- A retry has the same id because ids are derived from the sender's key (UUID version 5). Other ids are never received
-- again.
CREATE MATERIALIZED VIEW IF NOT EXISTS first_receipts_of_activity TO first_receipts AS
SELECT workspace_id, toUUID(subject_id) AS signal_id, min(occurred_at) AS received_at
FROM activity
WHERE kind IN ('signal.received', 'signal.step', 'signal.dead_letter') AND substring(subject_id, 15, 1) = '5'
GROUP BY workspace_id, signal_id;
