import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Clock } from '../signals/happened.ts'
import { activityRows } from './activity-rows.ts'
import { within } from './event-time.ts'

/** How many requests endpoints let in and refused, and how many signals became rows of their own. */
export interface RequestCounts {
  readonly accepted: number
  readonly refused: number
  readonly deduplicated: number
}

/**
 * Counts from `from` until before `to`. What endpoints refused that take no signals is left out. Activity alone tells of what was refused: it
 * is nowhere else.
 */
export const countRequests = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { from, to, clock }: { readonly from: Date; readonly to: Date; readonly clock: Clock },
  withoutSignals: readonly string[],
): Promise<RequestCounts> => {
  const [counts] = await activityRows<RequestCounts>(analytics, workspaceId, {
    select: `
      uniqExactIf(subject_id, kind = 'signal.received') AS accepted,
      sumIf(times, kind = 'source.refused' AND source_id NOT IN {without_signals: Array(String)}) AS refused,
      uniqExactIf(subject_id, kind = 'signal.step' AND step = 'insert' AND outcome = 'next') AS deduplicated`,
    where: [within(clock, 'from', 'to'), `kind IN ('signal.received', 'signal.step', 'source.refused')`],
    parameters: { from, to, without_signals: withoutSignals },
  })
  return counts ?? { accepted: 0, refused: 0, deduplicated: 0 }
}
