import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { activityRows } from '../../../model/activity/activity-rows.ts'
import { countDecidedSignals, sourcesWithoutSignals } from '../../../model/activity/stored-beside-activity.ts'
import type { ReadContext } from '../define.ts'
import type { TimeRange } from '../parts/time-range.ts'
import type { ActivityItem } from './activity-answer.ts'
import { type PreviousPeriod, previousPeriod } from './previous-period.ts'

const STAGES = ['received', 'accepted', 'deduplicated', 'in_claim', 'in_solution', 'done'] as const
type Stages = Readonly<Record<(typeof STAGES)[number], number>>

export const FUNNEL_NOTE =
  'Signals received in this time, and how far they are now. received: requests to endpoints that take signals, refused ones included. accepted: those let in. deduplicated: those that became Signals of their own; repeats, dead letters and what is on its way are left out. in_claim, in_solution, done: those of them that are evidence of a claim, that a Solution answers, that is Done.'

interface Span {
  readonly from: Date
  readonly to: Date
}

interface RequestCounts {
  readonly accepted: number
  readonly refused: number
  readonly deduplicated: number
}

/** What happened before that is told by the activity alone: requests that were refused are nowhere else. */
const readRecorded = async (
  analytics: Analytics,
  { workspaceId }: ReadContext['caller'],
  { from, to }: Span,
  withoutSignals: readonly string[],
): Promise<RequestCounts> => {
  const [counts] = await activityRows<RequestCounts>(analytics, workspaceId, {
    select: `
      uniqExactIf(subject_id, kind = 'signal.received') AS accepted,
      sumIf(times, kind = 'source.refused' AND source_id NOT IN {without_signals: Array(String)}) AS refused,
      uniqExactIf(subject_id, kind = 'signal.step' AND step = 'insert' AND outcome = 'next') AS deduplicated`,
    where: [
      'occurred_at >= {from: DateTime64(3)} AND occurred_at < {to: DateTime64(3)}',
      `kind IN ('signal.received', 'signal.step', 'source.refused')`,
    ],
    parameters: { from, to, without_signals: withoutSignals },
  })
  return counts ?? { accepted: 0, refused: 0, deduplicated: 0 }
}

const readStages = async ({ read, services, caller }: ReadContext, span: Span): Promise<Stages> => {
  const { decided, withoutSignals } = await read(async transaction => ({
    // What becomes of a row is the members' to say, so Postgres has it.
    decided: await countDecidedSignals(transaction, span),
    withoutSignals: await sourcesWithoutSignals(transaction),
  }))
  const { accepted, refused, deduplicated } = await readRecorded(services.analytics, caller, span, withoutSignals)
  return { received: accepted + refused, accepted, deduplicated, ...decided }
}

const share = (part: number, total: number): number | null => (total === 0 ? null : Number((part / total).toFixed(4)))

const figuresOf = (stages: Stages, index: number) => {
  const count = stages[STAGES[index] ?? 'received']
  return {
    count,
    of_received: share(count, stages.received),
    of_stage_before: share(count, stages[STAGES[Math.max(0, index - 1)] ?? 'received']),
  }
}

/** One item a stage, in their order. */
export const funnel = async (
  context: ReadContext,
  range: TimeRange,
  compare: boolean,
): Promise<readonly ActivityItem[]> => {
  const stages = await readStages(context, range)
  const earlier: PreviousPeriod | null = compare ? previousPeriod(range) : null
  const before = earlier && (await readStages(context, { from: earlier.from, to: range.from }))
  return STAGES.map((stage, index) => ({
    period: null,
    group: { stage },
    metrics: figuresOf(stages, index),
    ...(before === null ? {} : { before: figuresOf(before, index) }),
  }))
}
