-- `durations` and `elapsed` are histograms: bucket k counts the milliseconds from (101/99)^k to before (101/99)^(k+1),
-- so that the value 1.01 * (101/99)^k is at most 1 % off; bucket -32768 counts what is below a microsecond.
CREATE TABLE IF NOT EXISTS activity_by_hour
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
    times          SimpleAggregateFunction(sum, UInt64),
    work_units     SimpleAggregateFunction(sum, UInt64),
    durations      SimpleAggregateFunction(sumMap, Map(Int16, UInt64))
        COMMENT 'A histogram of `duration_ms` of steps and tool calls.',
    elapsed        SimpleAggregateFunction(sumMap, Map(Int16, UInt64)) COMMENT 'A histogram of `elapsed_ms` of steps.'
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(at)
PRIMARY KEY (workspace_id, at)
ORDER BY (workspace_id, at, kind, step, outcome, channel, classification, tool, mode)
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'What happened, by the hour (UTC) and by the fields with few values.';

CREATE TABLE IF NOT EXISTS activity_by_day AS activity_by_hour
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(at)
PRIMARY KEY (workspace_id, at)
ORDER BY (workspace_id, at, kind, step, outcome, channel, classification, tool, mode)
SETTINGS non_replicated_deduplication_window = 10000
COMMENT 'What happened, by the day (UTC) and by the fields with few values.';

-- No question reaches beyond these years, which a DateTime can hold.
CREATE MATERIALIZED VIEW IF NOT EXISTS hours_of_activity TO activity_by_hour AS
SELECT workspace_id, toStartOfHour(toDateTime(occurred_at, 'UTC')) AS at,
    kind, step, outcome, channel, classification, tool, mode,
    sum(toUInt64(activity.times)) AS times,
    sum(toUInt64(activity.work_units)) AS work_units,
    sumMapIf(
        map(if(duration_ms < 0.001, -32768, toInt16(floor(log(least(duration_ms, 1e12)) / log(101 / 99)))),
            toUInt64(1)),
        kind IN ('signal.step', 'tool.call')) AS durations,
    sumMapIf(
        map(if(elapsed_ms < 0.001, -32768, toInt16(floor(log(least(elapsed_ms, 1e12)) / log(101 / 99)))), toUInt64(1)),
        kind = 'signal.step') AS elapsed
FROM activity
WHERE occurred_at >= toDateTime64('1970-01-02 00:00:00', 3, 'UTC')
    AND occurred_at < toDateTime64('2100-01-01 00:00:00', 3, 'UTC')
GROUP BY workspace_id, at, kind, step, outcome, channel, classification, tool, mode;

CREATE MATERIALIZED VIEW IF NOT EXISTS days_of_activity TO activity_by_day AS
SELECT workspace_id, toStartOfDay(toDateTime(occurred_at, 'UTC')) AS at,
    kind, step, outcome, channel, classification, tool, mode,
    sum(toUInt64(activity.times)) AS times,
    sum(toUInt64(activity.work_units)) AS work_units,
    sumMapIf(
        map(if(duration_ms < 0.001, -32768, toInt16(floor(log(least(duration_ms, 1e12)) / log(101 / 99)))),
            toUInt64(1)),
        kind IN ('signal.step', 'tool.call')) AS durations,
    sumMapIf(
        map(if(elapsed_ms < 0.001, -32768, toInt16(floor(log(least(elapsed_ms, 1e12)) / log(101 / 99)))), toUInt64(1)),
        kind = 'signal.step') AS elapsed
FROM activity
WHERE occurred_at >= toDateTime64('1970-01-02 00:00:00', 3, 'UTC')
    AND occurred_at < toDateTime64('2100-01-01 00:00:00', 3, 'UTC')
GROUP BY workspace_id, at, kind, step, outcome, channel, classification, tool, mode;

CREATE TABLE IF NOT EXISTS activity_rollups_complete
(
    since DateTime('UTC') COMMENT 'The latest row counts: the file may have run twice.'
)
ENGINE = MergeTree
ORDER BY since
COMMENT 'From when on the rollups have every event. What is earlier is read from `activity`.';

-- The rollups are there before the first event.
INSERT INTO activity_rollups_complete SELECT toDateTime(0, 'UTC');
