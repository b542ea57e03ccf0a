-- `occurred_at` of a signal's events is when the signal was received. Figures count by when it happened, which is never
-- later: a question reads the rows from its beginning on, and the index leaves out what was imported.
ALTER TABLE activity ADD COLUMN IF NOT EXISTS happened_at DateTime64(3, 'UTC') DEFAULT occurred_at
    COMMENT 'When it happened. Of a signal''s events: when its sender says, but never after it was received.'
    AFTER occurred_at;
ALTER TABLE activity ADD INDEX IF NOT EXISTS activity_by_happened happened_at TYPE minmax GRANULARITY 1;

-- The rollups are by the time of receipt. What happened in another hour is taken out of there and put in here, so that
-- both clocks are answered from few rows; of what comes as it happens there is next to nothing here. Without partitions,
-- since one block of history may reach over a hundred years.
CREATE TABLE IF NOT EXISTS activity_moved_by_hour
(
    workspace_id   UUID,
    at             DateTime('UTC'),
    kind           LowCardinality(String),
    step           LowCardinality(String),
    outcome        LowCardinality(String),
    channel        LowCardinality(String),
    classification LowCardinality(String),
    tool           LowCardinality(String),
    mode           LowCardinality(String),
    times          SimpleAggregateFunction(sum, Int64),
    work_units     SimpleAggregateFunction(sum, Int64),
    durations      SimpleAggregateFunction(sumMap, Map(Int16, Int64)),
    elapsed        SimpleAggregateFunction(sumMap, Map(Int16, Int64))
)
ENGINE = AggregatingMergeTree
PRIMARY KEY (workspace_id, at)
ORDER BY (workspace_id, at, kind, step, outcome, channel, classification, tool, mode)
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'What the rollup by the hour has too much (negative) and too little by the time that it happened.';

CREATE TABLE IF NOT EXISTS activity_moved_by_day AS activity_moved_by_hour
ENGINE = AggregatingMergeTree
PRIMARY KEY (workspace_id, at)
ORDER BY (workspace_id, at, kind, step, outcome, channel, classification, tool, mode)
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'What the rollup by the day has too much (negative) and too little by the time that it happened.';

CREATE MATERIALIZED VIEW IF NOT EXISTS moved_hours_of_activity TO activity_moved_by_hour AS
SELECT workspace_id, toStartOfHour(toDateTime(moved.1, 'UTC')) AS at,
    kind, step, outcome, channel, classification, tool, mode,
    sum(moved.2 * toInt64(activity.times)) AS times,
    sum(moved.2 * toInt64(activity.work_units)) AS work_units,
    sumMapIf(
        map(if(duration_ms < 0.001, -32768, toInt16(floor(log(least(duration_ms, 1e12)) / log(101 / 99)))),
            toInt64(moved.2)),
        kind IN ('signal.step', 'tool.call')) AS durations,
    sumMapIf(
        map(if(elapsed_ms < 0.001, -32768, toInt16(floor(log(least(elapsed_ms, 1e12)) / log(101 / 99)))),
            toInt64(moved.2)),
        kind = 'signal.step') AS elapsed
FROM activity
ARRAY JOIN [(occurred_at, toInt64(-1)), (happened_at, toInt64(1))] AS moved
WHERE intDiv(toUnixTimestamp64Milli(occurred_at), 3600000) != intDiv(toUnixTimestamp64Milli(happened_at), 3600000)
    AND moved.1 >= toDateTime64('1970-01-02 00:00:00', 3, 'UTC')
    AND moved.1 < toDateTime64('2100-01-01 00:00:00', 3, 'UTC')
GROUP BY workspace_id, at, kind, step, outcome, channel, classification, tool, mode;

CREATE MATERIALIZED VIEW IF NOT EXISTS moved_days_of_activity TO activity_moved_by_day AS
SELECT workspace_id, toStartOfDay(toDateTime(moved.1, 'UTC')) AS at,
    kind, step, outcome, channel, classification, tool, mode,
    sum(moved.2 * toInt64(activity.times)) AS times,
    sum(moved.2 * toInt64(activity.work_units)) AS work_units,
    sumMapIf(
        map(if(duration_ms < 0.001, -32768, toInt16(floor(log(least(duration_ms, 1e12)) / log(101 / 99)))),
            toInt64(moved.2)),
        kind IN ('signal.step', 'tool.call')) AS durations,
    sumMapIf(
        map(if(elapsed_ms < 0.001, -32768, toInt16(floor(log(least(elapsed_ms, 1e12)) / log(101 / 99)))),
            toInt64(moved.2)),
        kind = 'signal.step') AS elapsed
FROM activity
ARRAY JOIN [(occurred_at, toInt64(-1)), (happened_at, toInt64(1))] AS moved
WHERE intDiv(toUnixTimestamp64Milli(occurred_at), 86400000) != intDiv(toUnixTimestamp64Milli(happened_at), 86400000)
    AND moved.1 >= toDateTime64('1970-01-02 00:00:00', 3, 'UTC')
    AND moved.1 < toDateTime64('2100-01-01 00:00:00', 3, 'UTC')
GROUP BY workspace_id, at, kind, step, outcome, channel, classification, tool, mode;
