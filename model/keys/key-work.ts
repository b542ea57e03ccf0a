import type { Analytics } from '../../infra/clickhouse/port.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { KeyId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { activityRows } from '../activity/activity-rows.ts'

const DAYS = 30

interface Row {
  readonly source_id: KeyId
  readonly work_units: number
}

interface Wanted {
  readonly keys: readonly KeyId[]
  readonly now: Date
}

/** The work units that calls through each key cost in the 30 days before `now`; null for all while the analytics are away. */
export const keyWork = async (
  analytics: Analytics,
  workspace: WorkspaceId,
  { keys, now }: Wanted,
): Promise<(key: KeyId) => number | null> => {
  if (keys.length === 0) return () => 0
  try {
    const rows = await activityRows<Row>(analytics, workspace, {
      select: 'source_id, sum(work_units) AS work_units',
      where: [
        `kind = 'tool.call'`,
        `channel = 'key'`,
        'source_id IN {keys: Array(String)}',
        'occurred_at > {since: DateTime64(3)}',
      ],
      groupBy: ['source_id'],
      parameters: { keys, since: new Date(now.getTime() - DAYS * DAY_MS) },
    })
    const byKey = new Map(rows.map(row => [row.source_id, Number(row.work_units)]))
    return key => byKey.get(key) ?? 0
  } catch (error) {
    if (isAssayError(error) && error.retriable) return () => null
    throw error
  }
}
