import type { PreviousPeriod, TimeRange } from '../../../model/activity/activity-question.ts'
import { countDecidedSignals, countRequests } from '../../../model/activity/counts.ts'
import type { ActivityItem } from '../../../model/activity/figures.ts'
import type { Clock } from '../../../model/signals/happened.ts'
import { type RequestCount, requestsWithin } from '../../../model/sources/source-requests.ts'
import { type NamedSource, namedSources, sourcesWithoutSignals } from '../../../model/sources/sources.ts'
import { MINUTE_MS } from '../../../schemas/domain/durations.ts'
import { AssayError, type ReadContext } from '../define.ts'
import { type Refusals, refusalsOf } from '../sources/source.ts'

/** The funnel: the present stage of the signals received in a period. */

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
    // Members decide about rows, so these counts come from Postgres.
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
  earlier: PreviousPeriod | null,
): Promise<readonly ActivityItem[]> => {
  const stages = await readStages(context, range)
  const before = earlier && (await readStages(context, { from: earlier.from, to: range.from, clock: range.clock }))
  return STAGES.map((stage, index) => ({
    period: null,
    group: { stage },
    metrics: figuresOf(stages, index),
    ...(before === null ? {} : { before: figuresOf(before, index) }),
  }))
}

/** Health of each source in a period. */

type Health = 'refusing' | 'silent' | 'unused' | 'ok'
/** Worst first. */
const RANKS: Readonly<Record<Health, number>> = { refusing: 0, silent: 1, unused: 2, ok: 3 }

export const SOURCES_NOTE =
  'Health in this time: refusing: more requests refused than accepted. silent: nothing came, though it did before. unused: nothing ever came. refused_for: the most frequent reason. service_support mode source has the hours.'

type Row = RequestCount & { readonly last: number }

const healthOf = (accepted: number, refused: number, hasBeenUsed: boolean): Health => {
  if (refused > accepted) return 'refusing'
  if (accepted + refused > 0) return 'ok'
  return hasBeenUsed ? 'silent' : 'unused'
}

interface Judged {
  readonly health: Health
  readonly item: ActivityItem
}

const judge = (source: NamedSource, rows: readonly Row[], to: Date): Judged => {
  const refusals: Refusals = refusalsOf(rows)
  const accepted = rows.find(row => row.refused_for === '')?.requests ?? 0
  const refused = refusals.reduce((sum, { count }) => sum + count, 0)
  const last = Math.max(0, ...rows.map(row => row.last))
  const health = healthOf(accepted, refused, last > 0)
  const group = {
    source_id: source.id,
    source: source.name,
    source_kind: source.kind,
    health,
    refused_for: refusals[0]?.reason ?? '',
  }
  const metrics = {
    accepted,
    refused,
    acceptance_rate: accepted + refused === 0 ? null : Number((accepted / (accepted + refused)).toFixed(4)),
    minutes_since_last: last === 0 ? null : Math.floor((to.getTime() - last) / MINUTE_MS),
  }
  return { health, item: { period: null, group, metrics } }
}

/** Every source, worst first. Rejects with `unavailable` while the analytics are away. */
export const sourceFigures = async (
  { read, services, caller }: ReadContext,
  { from, to }: TimeRange,
): Promise<readonly ActivityItem[]> => {
  const sources = await read(namedSources)
  const { analytics } = services
  const wanted = { analytics, workspaceId: caller.workspaceId, sources: sources.map(({ id }) => id) }
  const rows = await requestsWithin(wanted, { from, to })
  if (rows === null) throw new AssayError('unavailable', 'The analytics are away. Try again in a while.')
  const bySource = Map.groupBy(rows, row => row.source_id)
  return sources
    .map(source => judge(source, bySource.get(source.id) ?? [], to))
    .sort((one, other) => RANKS[one.health] - RANKS[other.health])
    .map(({ item }) => item)
}
