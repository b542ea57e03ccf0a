-- Which block of the log an event came in, as a number made of the block's token: a block that is sent again is sent whole, so that
-- what depends on the table gets it too if it did not the first time. 0: an event from before this column.
ALTER TABLE activity ADD COLUMN IF NOT EXISTS block UInt64 DEFAULT 0 AFTER trace_id;

-- What happened, by the hour (UTC) and by the fields with few values. `durations` and `elapsed` are histograms: bucket k counts the
-- milliseconds from (101/99)^k to before (101/99)^(k+1), so that the value 1.01 * (101/99)^k is at most 1 % off; bucket -32768 counts
-- what is below a microsecond.
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
    durations      SimpleAggregateFunction(sumMap, Map(Int16, UInt64)),
    elapsed        SimpleAggregateFunction(sumMap, Map(Int16, UInt64))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(at)
PRIMARY KEY (workspace_id, at)
ORDER BY (workspace_id, at, kind, step, outcome, channel, classification, tool, mode)
SETTINGS non_replicated_deduplication_window = 10000;

-- The same by the day (UTC).
CREATE TABLE IF NOT EXISTS activity_by_day AS activity_by_hour
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(at)
PRIMARY KEY (workspace_id, at)
ORDER BY (workspace_id, at, kind, step, outcome, channel, classification, tool, mode)
SETTINGS non_replicated_deduplication_window = 10000;

-- No question reaches beyond these years, which a DateTime can hold.
CREATE MATERIALIZED VIEW IF NOT EXISTS hours_of_activity TO activity_by_hour AS
SELECT workspace_id, toStartOfHour(toDateTime(occurred_at, 'UTC')) AS at,
    kind, step, outcome, channel, classification, tool, mode,
    sum(toUInt64(activity.times)) AS times,
    sum(toUInt64(activity.work_units)) AS work_units,
    sumMapIf(map(if(duration_ms < 0.001, -32768, toInt16(floor(log(least(duration_ms, 1e12)) / log(101 / 99)))), toUInt64(1)),
        kind IN ('signal.step', 'tool.call')) AS durations,
    sumMapIf(map(if(elapsed_ms < 0.001, -32768, toInt16(floor(log(least(elapsed_ms, 1e12)) / log(101 / 99)))), toUInt64(1)),
        kind = 'signal.step') AS elapsed
FROM activity
WHERE occurred_at >= toDateTime64('1970-01-02 00:00:00', 3, 'UTC') AND occurred_at < toDateTime64('2100-01-01 00:00:00', 3, 'UTC')
GROUP BY workspace_id, at, kind, step, outcome, channel, classification, tool, mode;

CREATE MATERIALIZED VIEW IF NOT EXISTS days_of_activity TO activity_by_day AS
SELECT workspace_id, toStartOfDay(toDateTime(occurred_at, 'UTC')) AS at,
    kind, step, outcome, channel, classification, tool, mode,
    sum(toUInt64(activity.times)) AS times,
    sum(toUInt64(activity.work_units)) AS work_units,
    sumMapIf(map(if(duration_ms < 0.001, -32768, toInt16(floor(log(least(duration_ms, 1e12)) / log(101 / 99)))), toUInt64(1)),
        kind IN ('signal.step', 'tool.call')) AS durations,
    sumMapIf(map(if(elapsed_ms < 0.001, -32768, toInt16(floor(log(least(elapsed_ms, 1e12)) / log(101 / 99)))), toUInt64(1)),
        kind = 'signal.step') AS elapsed
FROM activity
WHERE occurred_at >= toDateTime64('1970-01-02 00:00:00', 3, 'UTC') AND occurred_at < toDateTime64('2100-01-01 00:00:00', 3, 'UTC')
GROUP BY workspace_id, at, kind, step, outcome, channel, classification, tool, mode;

-- From when on the rollups have every event. Sums cannot be filled up later without counting what came meanwhile twice, so what is
-- there already is read from `activity` for good; no event is more than a day ahead. Read the latest: the file may have run twice.
CREATE TABLE IF NOT EXISTS activity_rollups_complete
(
    since DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY since;

INSERT INTO activity_rollups_complete
SELECT if(count() = 0, toDateTime(0, 'UTC'), toStartOfDay(now('UTC') + INTERVAL 2 DAY)) FROM activity;
