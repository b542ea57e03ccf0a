import type { Codec } from '../../../infra/log/codec.ts'
import type { StoredRecord } from '../../../infra/log/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import type { LoggedPoint } from '../../../model/metrics/points.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import type { MetricPointRecord } from '../../../schemas/events/metric-point.ts'
import type { Observer } from '../../framework/observer.ts'

/** The points of a batch. A record that cannot be one is left out and noted: it must not hold up the others. */
export const readPoints = async (
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
