import { createHash } from 'node:crypto'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Codec } from '../../../infra/log/codec.ts'
import type { Batch, BatchContext, Consumer, Continuation, Log, StoredRecord } from '../../../infra/log/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { type LoggedPoint, type StoredPoint, storePoints } from '../../../model/metrics/points.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import type { MetricPointRecord } from '../../../schemas/events/metric-point.ts'
import { METRIC_POINTS_TOPIC } from '../../../schemas/events/topics.ts'
import { hostSink } from '../../framework/host-sink.ts'
import type { Observer } from '../../framework/step.ts'
import { storeEach } from '../../framework/thrown.ts'
import { type Breaker, nextOffset } from '../../framework/wait-for-dependency.ts'

/** Points of a batch. A record that is no point is left out and noted, so that it does not block the others. */
const readPoints = async (
  records: readonly StoredRecord[],
  codec: Codec<MetricPointRecord>,
  observer: Observer,
): Promise<readonly LoggedPoint[]> => {
  const points: LoggedPoint[] = []
  for (const { topic, partition, offset, timestamp, value } of records) {
    try {
      const point = checked(await codec.decode(value))
      points.push({ ...point, log_partition: partition, log_offset: offset, logged_at: timestamp })
    } catch (error) {
      if (!isAssayError(error) || error.code !== 'invalid_input') throw error
      observer.note('A record is no metric point and stays in its topic only', { topic, partition, offset })
    }
  }
  return points
}

const MAX_DATE = 8.64e15

const checked = (point: MetricPointRecord): MetricPointRecord => {
  const { point_id, workspace_id, metric_id, value, received_at, occurred_at } = point
  const right =
    [point_id, workspace_id, metric_id].every(isUuid) &&
    Number.isFinite(value) &&
    Math.abs(received_at) <= MAX_DATE &&
    Math.abs(occurred_at ?? 0) <= MAX_DATE
  if (!right) throw new AssayError('invalid_input', 'The record is no metric point.')
  return point
}

export const METRICS_GROUP = 'assay.metrics'
const MAX_RECORDS = 500

export interface MetricsOptions {
  readonly log: Log
  readonly database: Database
  readonly analytics: Analytics
  readonly metricPointCodec: Codec<MetricPointRecord>
  readonly breaker: Breaker
  readonly observer: Observer
}

/**
 * Stores metric points in Postgres, where bindings read the newest, and in ClickHouse. Postgres decides a point's value
 * and numbers its revisions; ClickHouse keeps the highest revision. A redelivered point changes nothing.
 */
export const hostMetrics = (options: MetricsOptions): Promise<Consumer> =>
  hostSink(
    options,
    { name: 'metrics', group: METRICS_GROUP, topic: METRIC_POINTS_TOPIC, maxRecords: MAX_RECORDS },
    (batch, context) => onBatch(options, batch, context),
  )

const onBatch = async (options: MetricsOptions, batch: Batch, context: BatchContext): Promise<Continuation> => {
  const { metricPointCodec, analytics, observer } = options
  const points = await readPoints(batch.records, metricPointCodec, observer)
  const kept = await keep(points, options)
  if (kept.length > 0) await analytics.insert('metric_points', kept.map(toRow), tokenOf(kept))
  await context.commit(nextOffset(batch))
  observer.batch(METRICS_GROUP, batch.records.length)
  return { next: nextOffset(batch) }
}

const keep = async (
  points: readonly LoggedPoint[],
  { database, observer }: MetricsOptions,
): Promise<readonly StoredPoint[]> => {
  const kept = new Map<string, StoredPoint>()
  const write = async (part: readonly LoggedPoint[]) => {
    const stored = await database.transaction(pipelineScope(part), transaction => storePoints(transaction, part))
    for (const point of stored) kept.set(point.point_id, point)
  }
  await storeEach(points, write, ({ point_id }, errorClass) =>
    observer.note('A metric point cannot be stored and stays in its topic only', { point_id, errorClass }),
  )
  return [...kept.values()]
}

const toRow = (point: StoredPoint) => ({
  ...point,
  occurred_at: point.occurred_at.toISOString(),
  received_at: point.received_at.toISOString(),
})

/** Deduplication token from the points: the same points in the same revisions are inserted once. */
const tokenOf = (points: readonly StoredPoint[]): string => {
  const digest = createHash('sha256')
  for (const { point_id, revision } of points) digest.update(`${point_id}:${revision};`)
  return `metric_points:${digest.digest('hex')}`
}
