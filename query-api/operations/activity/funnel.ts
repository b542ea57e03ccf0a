import { type PreviousPeriod, previousPeriod } from '../../../model/activity/activity-question.ts'
import type { TimeRange } from '../../../model/activity/activity-vocabulary.ts'
import { countDecidedSignals, countRequests } from '../../../model/activity/counts.ts'
import type { ActivityItem } from '../../../model/activity/figures.ts'
import type { Clock } from '../../../model/signals/happened.ts'
import { sourcesWithoutSignals } from '../../../model/sources/read-sources.ts'
import type { ReadContext } from '../define.ts'

const STAGES = ['received', 'accepted', 'deduplicated', 'in_claim', 'in_solution', 'done'] as const
type Stages = Readonly<Record<(typeof STAGES)[number], number>>

export const FUNNEL_NOTE =
  'Signals of this time, and how far they are now. received: requests to endpoints that take signals, refused ones included. accepted: those let in. deduplicated: those that became Signals of their own; repeats, dead letters and what is on its way are left out. in_claim, in_solution, done: those of them that are evidence of a claim, that a Solution answers, that is Done.'

interface Span {
  readonly clock: Clock
  readonly from: Date
  readonly to: Date
}

const readStages = async ({ read, services, caller }: ReadContext, span: Span): Promise<Stages> => {
  const { decided, withoutSignals } = await read(async transaction => ({
    // What becomes of a row is the members' to say, so Postgres has it.
    decided: await countDecidedSignals(transaction, span),
    withoutSignals: await sourcesWithoutSignals(transaction),
  }))
  const { accepted, refused, deduplicated } = await countRequests(
    services.analytics,
    caller.workspaceId,
    span,
    withoutSignals,
  )
  return { received: accepted + refused, accepted, deduplicated, ...decided }
}

const share = (part: number, total: number): number | null => (total === 0 ? null : Number((part / total).toFixed(4)))

const figuresOf = (stages: Stages, index: number) => {
  const count = stages[STAGES[index] ?? 'received']
  return {
    count,
    share_of_received: share(count, stages.received),
    share_of_previous_stage: share(count, stages[STAGES[Math.max(0, index - 1)] ?? 'received']),
  }
}

/** One item a stage, in their order. */
export const funnel = async (
  context: ReadContext,
  range: TimeRange & { readonly clock: Clock },
  compare: boolean,
): Promise<readonly ActivityItem[]> => {
  const stages = await readStages(context, range)
  const earlier: PreviousPeriod | null = compare ? previousPeriod(range) : null
  const before = earlier && (await readStages(context, { from: earlier.from, to: range.from, clock: range.clock }))
  return STAGES.map((stage, index) => ({
    period: null,
    group: { stage },
    metrics: figuresOf(stages, index),
    ...(before === null ? {} : { before: figuresOf(before, index) }),
  }))
}
