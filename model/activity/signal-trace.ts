import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { activityRows } from './activity-rows.ts'

/** What one step did with a signal at one attempt, or that it was received, or that it died. */
export interface TraceRow {
  /** `received`, or the step's name. */
  readonly step: string
  readonly ordinal: number
  readonly outcome: string
  /** Empty but for a death. */
  readonly fault: string
  readonly reason: string
  readonly version: string
  readonly attempt: number
  readonly replay: number
  readonly duration_ms: number
  readonly elapsed_ms: number
  readonly channel: string
  readonly source_id: string
  /** When the signal was received, milliseconds since the epoch. */
  readonly received_ms: number
}

const MAX_STEPS = 1000

/** A signal’s way through the pipeline, in the order of time, as far as its activity has reached ClickHouse. */
export const readTrace = (analytics: Analytics, workspaceId: WorkspaceId, signalId: string): Promise<TraceRow[]> =>
  activityRows<TraceRow>(analytics, workspaceId, {
    select: `if(kind = 'signal.received', 'received', activity.step) AS step, step_ordinal AS ordinal,
      multiIf(kind = 'signal.received', 'received', kind = 'signal.dead_letter', 'dead_letter', activity.outcome) AS outcome,
      if(kind = 'signal.dead_letter', activity.outcome, '') AS fault, reason, version, attempt, replay, duration_ms, elapsed_ms,
      channel, source_id, toUnixTimestamp64Milli(occurred_at) AS received_ms`,
    where: [`kind IN ('signal.received', 'signal.step', 'signal.dead_letter')`, 'subject_id = {signal: String}'],
    orderBy: `elapsed_ms, replay, ordinal, attempt, kind = 'signal.dead_letter'`,
    limit: MAX_STEPS,
    parameters: { signal: signalId },
  })
