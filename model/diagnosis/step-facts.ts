import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { STEPS } from '../../schemas/domain/vocabulary.ts'
import { activityRows } from '../activity/activity-rows.ts'

/** A signal that was received and has reached no end. */
interface Stuck {
  readonly subject_id: string
  /** When it was received, milliseconds since the epoch. */
  readonly received_ms: number
  /** The step that it came to last, by its ordinal; 0 before the first. */
  readonly reached: number
  readonly outcome: string
  readonly reason: string
  /** Such signals in all. */
  readonly total: number
}

interface StepFigures {
  readonly step_ordinal: number
  /** When the newest signal that it handled was received, milliseconds since the epoch. */
  readonly newest_ms: number
  /** What it last said that it worked with. */
  readonly version: string
  /** Of the signals of the last hour that it passed on: how many, and their 95th percentile of time since receipt. */
  readonly passed: number
  readonly p95_elapsed_ms: number
}

export interface StepFacts {
  readonly stuck: readonly Stuck[]
  readonly steps: readonly StepFigures[]
}

/** A signal that is not at its end after this long is not just on its way. */
export const STUCK_AFTER_MINUTES = 5
const MAX_STUCK = 1000
const MINUTE_MS = 60_000

/** Where a signal's way may end: in a row, as a repeat, or dead. */
const ENDED = `kind = 'signal.dead_letter' OR outcome IN ('skip', 'dead') OR (step = 'insert' AND outcome = 'next')`

const LATEST = '(elapsed_ms, step_ordinal)'

/** What the steps did with the signals of the last day. Rejects while the analytics are away. */
export const stepFacts = async (analytics: Analytics, workspaceId: WorkspaceId, now: Date): Promise<StepFacts> => {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)
  const parameters = { from: ago(24 * 60), to: ago(STUCK_AFTER_MINUTES), hour: ago(60) }
  const stuck = activityRows<Stuck>(analytics, workspaceId, {
    select: `subject_id, toUnixTimestamp64Milli(min(occurred_at)) AS received_ms, argMax(step_ordinal, ${LATEST}) AS reached,
      argMax(activity.outcome, ${LATEST}) AS outcome, argMax(activity.reason, ${LATEST}) AS reason, count() OVER () AS total`,
    where: [
      `kind IN ('signal.received', 'signal.step', 'signal.dead_letter')`,
      'occurred_at >= {from: DateTime64(3)}',
      'occurred_at < {to: DateTime64(3)}',
    ],
    groupBy: ['subject_id'],
    having: `countIf(${ENDED.replaceAll('outcome', 'activity.outcome')}) = 0`,
    orderBy: 'received_ms, subject_id',
    limit: MAX_STUCK,
    parameters,
  })
  const steps = activityRows<StepFigures>(analytics, workspaceId, {
    select: `step_ordinal, toUnixTimestamp64Milli(max(occurred_at)) AS newest_ms, argMax(activity.version, occurred_at) AS version,
      countIf(outcome = 'next' AND replay = 0 AND occurred_at >= {hour: DateTime64(3)}) AS passed,
      if(passed = 0, 0, quantileExactIf(0.95)(elapsed_ms, outcome = 'next' AND replay = 0 AND occurred_at >= {hour: DateTime64(3)})) AS p95_elapsed_ms`,
    where: [`kind = 'signal.step'`, 'occurred_at >= {from: DateTime64(3)}'],
    groupBy: ['step_ordinal'],
    parameters,
  })
  const [stuckRows, stepRows] = await Promise.all([stuck, steps])
  return { stuck: stuckRows, steps: stepRows }
}

/** The ordinal of a step, from 1. */
export const ordinalOf = (step: (typeof STEPS)[number]): number => STEPS.indexOf(step) + 1
