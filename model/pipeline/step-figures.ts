import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { activityRows } from '../activity/activity-rows.ts'

/** What one step did with signals. */
export interface StepFigures {
  readonly step: string
  readonly signals: number
  readonly next: number
  readonly skipped: number
  readonly retried: number
  readonly dead_lettered: number
  readonly p95_duration_ms: number
  /** When the newest signal that it handled was received. */
  readonly newest_received_at: string
}

/** What each step did with the signals received after `since`, in the order of the pipeline. */
export const stepFigures = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  since: Date,
): Promise<StepFigures[]> => {
  const rows = await activityRows<StepFigures & { readonly ordinal: number }>(analytics, workspaceId, {
    select: `step, uniqExact(subject_id) AS signals, countIf(outcome = 'next') AS next, countIf(outcome = 'skip') AS skipped,
      countIf(outcome = 'retry') AS retried, countIf(outcome = 'dead') AS dead_lettered,
      quantileExact(0.95)(duration_ms) AS p95_duration_ms, max(occurred_at) AS newest_received_at, any(step_ordinal) AS ordinal`,
    where: [`kind = 'signal.step'`, 'occurred_at >= {since: DateTime64(3)}'],
    groupBy: ['step'],
    orderBy: 'ordinal',
    parameters: { since },
  })
  return rows.map(({ ordinal: _, ...step }) => step)
}
