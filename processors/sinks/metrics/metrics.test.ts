import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import type { Log } from '../../../infra/log/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { storePoints } from '../../../model/metrics/points.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { type MetricPointId, newId, type SourceId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { MetricPointRecord } from '../../../schemas/events/metric-point.ts'
import { METRIC_POINTS_TOPIC } from '../../../schemas/events/topics.ts'
import { next } from '../../framework/step.ts'
import { metricPointCodec, RECEIVED_AT, testObserver, testPipeline, testStep } from '../../framework/testing.ts'
import { startTestLog } from '../../framework/testing-log.ts'
import { createBreaker } from '../../framework/wait-for-dependency.ts'
import { hostMetrics, METRICS_GROUP, type MetricsOptions } from './metrics.ts'

let postgres: TestDatabase
let clickHouse: TestAnalytics
let workspace: WorkspaceId
before(async () => {
  ;[postgres, clickHouse] = await Promise.all([startTestDatabase(), startTestAnalytics()])
  const [made] = await postgres.workspaces(1)
  assert.ok(made)
  workspace = made
})
after(() => Promise.all([postgres.stop(), clickHouse.stop()]))

const pipeline = testPipeline([testStep('validate', async batch => batch.map(() => next({})))], ['validate'])

const metric = async (): Promise<SourceId> => {
  const id = newId<SourceId>()
  const values = [id, workspace, 'metric', 'Conversion', Buffer.alloc(32)]
  await postgres.pool.query(
    'insert into sources (id, workspace_id, kind, name, secret_hash) values ($1, $2, $3, $4, $5)',
    values,
  )
  return id
}

const point = (metricId: SourceId, value: number, known: Partial<MetricPointRecord> = {}): MetricPointRecord => ({
  point_id: newId<MetricPointId>(),
  workspace_id: workspace,
  metric_id: metricId,
  value,
  occurred_at: RECEIVED_AT - DAY_MS,
  received_at: RECEIVED_AT,
  ...known,
})

const append = async (log: Log, points: readonly MetricPointRecord[]): Promise<void> => {
  const records = points.map(async one => ({
    topic: METRIC_POINTS_TOPIC,
    key: one.metric_id,
    value: await metricPointCodec.encode(one),
  }))
  await log.append(await Promise.all(records))
}

const host = (log: Log, known: Partial<MetricsOptions> = {}) =>
  hostMetrics({
    log,
    database: postgres.database,
    analytics: clickHouse.analytics,
    metricPointCodec,
    breaker: createBreaker({ firstMs: 10, maxMs: 50 }),
    observer: testObserver(),
    ...known,
  })

const workedOff = (log: Log) =>
  eventually('the points are worked off', async () =>
    (await log.lag(METRICS_GROUP)).every(place => place.committed === place.highWatermark),
  )

const start = (t: TestContext) => startTestLog(t, pipeline)

interface Kept {
  readonly value: number
  readonly at: number
}

/** A metric's points, oldest first, as both stores have them: they must agree. */
const kept = async (metricId: SourceId): Promise<readonly Kept[]> => {
  const { rows } = await postgres.pool.query<Kept>(
    `select value, (extract(epoch from occurred_at) * 1000)::float8 as at from metric_points where metric_id = $1
     order by occurred_at, received_at`,
    [metricId],
  )
  const columns = await clickHouse.analytics.query<Kept>(
    `SELECT value, toUnixTimestamp64Milli(occurred_at) AS at FROM metric_points FINAL WHERE metric_id = {id: UUID}
     ORDER BY occurred_at, received_at`,
    { id: metricId },
  )
  assert.deepEqual(
    columns.map(row => ({ value: row.value, at: Number(row.at) })),
    rows,
  )
  return rows
}

test('points are kept in both stores, with their own times', async t => {
  const log = await start(t)
  const metricId = await metric()
  await append(log, [point(metricId, 0.1 + 0.2), point(metricId, -3, { occurred_at: null })])
  await host(log)
  await workedOff(log)
  assert.deepEqual(await kept(metricId), [
    { value: 0.1 + 0.2, at: RECEIVED_AT - DAY_MS },
    { value: -3, at: RECEIVED_AT },
  ])
})

test('the last of one identity on the log wins, in one batch or in several, and it is counted once', async t => {
  const log = await start(t)
  const metricId = await metric()
  const first = point(metricId, 1)
  await append(log, [first, { ...first, value: 2 }])
  await host(log)
  await workedOff(log)
  assert.deepEqual(await kept(metricId), [{ value: 2, at: RECEIVED_AT - DAY_MS }])
  await append(log, [{ ...first, value: 3 }])
  await workedOff(log)
  assert.deepEqual(await kept(metricId), [{ value: 3, at: RECEIVED_AT - DAY_MS }])
})

test('what is earlier on the log changes nothing, whenever a slow member of the group comes with it', async t => {
  const log = await start(t)
  const metricId = await metric()
  const first = point(metricId, 1)
  await append(log, [first, { ...first, value: 2 }])
  await host(log)
  await workedOff(log)
  const { rows } = await postgres.pool.query(
    'select log_partition, log_offset, logged_at from metric_points where id = $1',
    [first.point_id],
  )
  const late = { ...first, log_partition: rows[0].log_partition, logged_at: rows[0].logged_at.getTime() - 5 }
  const stored = await postgres.database.transaction(
    { role: 'assay_pipeline', workspaceIds: [workspace] },
    transaction => storePoints(transaction, [{ ...late, log_offset: Number(rows[0].log_offset) - 1 }]),
  )
  assert.equal(stored[0]?.value, 2)
  assert.deepEqual(await kept(metricId), [{ value: 2, at: RECEIVED_AT - DAY_MS }])
})

test('a log that was made anew, whose offsets start over, goes on correcting', async t => {
  const metricId = await metric()
  const first = point(metricId, 1)
  const old = await start(t)
  await append(old, [point(metricId, 7), point(metricId, 8), first])
  const consumer = await host(old)
  await workedOff(old)
  await consumer.stop()

  const anew = await start(t)
  await append(anew, [{ ...first, value: 2 }])
  await host(anew)
  await workedOff(anew)
  const { rows } = await postgres.pool.query('select value, revision from metric_points where id = $1', [
    first.point_id,
  ])
  assert.deepEqual(rows, [{ value: 2, revision: 2 }])
})

test('a point that its sender did not date stays where it was first received, however often it is sent again', async t => {
  const log = await start(t)
  const metricId = await metric()
  const undated = point(metricId, 5, { occurred_at: null })
  const newer = point(metricId, 6, { occurred_at: null, received_at: RECEIVED_AT + 1000 })
  const retry = { ...undated, received_at: RECEIVED_AT + 2000 }
  await append(log, [undated, newer])
  await host(log)
  await workedOff(log)
  await append(log, [retry])
  await workedOff(log)
  assert.deepEqual(await kept(metricId), [
    { value: 5, at: RECEIVED_AT },
    { value: 6, at: RECEIVED_AT + 1000 },
  ])
})

test('delivered again from the start, points change nothing', async t => {
  const log = await start(t)
  const metricId = await metric()
  const points = Array.from({ length: 30 }, (_, day) =>
    point(metricId, day, { occurred_at: RECEIVED_AT - day * DAY_MS }),
  )
  await append(log, points)
  let losses = 3
  const forgetful: Analytics = {
    ...clickHouse.analytics,
    insert: async (...block) => {
      await clickHouse.analytics.insert(...block)
      losses -= 1
      if (losses >= 0) throw new AssayError('unavailable', 'The answer was lost.')
    },
  }
  await host(log, { analytics: forgetful })
  await workedOff(log)
  assert.equal((await kept(metricId)).length, 30)
  const { rows } = await postgres.pool.query(
    'select max(revision) as revisions from metric_points where metric_id = $1',
    [metricId],
  )
  assert.equal(rows[0].revisions, 1)
})

test('points wait while ClickHouse is away', async t => {
  const log = await start(t)
  const metricId = await metric()
  let isUnavailable = true
  let tries = 0
  const away: Analytics = {
    ...clickHouse.analytics,
    insert: async (...block) => {
      tries += 1
      if (isUnavailable) throw new AssayError('unavailable', 'The analytics database is unavailable.')
      await clickHouse.analytics.insert(...block)
    },
  }
  await append(log, [point(metricId, 1)])
  await host(log, { analytics: away })
  await eventually('the sink has tried several times', () => tries >= 3)
  isUnavailable = false
  await workedOff(log)
  assert.equal((await kept(metricId)).length, 1)
})

test('what is no point, or of a metric that does not exist, keeps nobody else out', async t => {
  const log = await start(t)
  const metricId = await metric()
  const observer = testObserver()
  await append(log, [point(metricId, 1)])
  await log.append([{ topic: METRIC_POINTS_TOPIC, key: null, value: Buffer.from('garbage') }])
  await append(log, [
    point(newId<SourceId>(), 2),
    point(metricId, Number.NaN),
    point(metricId, 3, { occurred_at: RECEIVED_AT }),
  ])
  await host(log, { observer })
  await workedOff(log)
  assert.deepEqual(
    (await kept(metricId)).map(({ value }) => value),
    [1, 3],
  )
  assert.deepEqual(observer.notes.map(note => note.message).sort(), [
    'A metric point cannot be stored and stays in its topic only',
    'A record is no metric point and stays in its topic only',
    'A record is no metric point and stays in its topic only',
  ])
})
