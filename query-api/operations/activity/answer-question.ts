import {
  type Field,
  type Filter,
  type Metric,
  previousPeriod,
  SAYS_WHAT,
  type TimeRange,
} from '../../../model/activity/activity-question.ts'
import { readFigures } from '../../../model/activity/figures.ts'
import { MAX_PLACED, type Places } from '../../../model/activity/signal-places.ts'
import type { Clock } from '../../../model/signals/happened.ts'
import type { ReadContext } from '../define.ts'
import { DEFAULT_LIMIT } from '../parts/fields.ts'
import { type ActivityInput, type ActivityPage, orderOf, pageOf } from './activity.ts'
import { FUNNEL_NOTE, funnel, SOURCES_NOTE, sourceFigures } from './named-questions.ts'
import { placeSignals, resolveFilters } from './resolve-filters.ts'
import { NO_PAST_NOTE, pastOf, TRENDING_NOTE, trending } from './trending.ts'

interface Asked {
  readonly metrics: readonly Metric[]
  readonly groupBy: readonly Field[]
  readonly filters: readonly { readonly field: Field }[]
  readonly places: Places
}

const EVENTS =
  'count is of events, about ten a Signal. To count Signals: metrics distinct_signals, or filters step in [insert] and outcome in [next].'
const EMPTY =
  'An empty group holds earlier events of Signals that other rows count too, and those it never applied to: filter step in [insert] and outcome in [next] to tell.'
const CLAIM =
  'Claims are those of now: distinct_signals is what service_lookup mode claim calls signals, of this time: repeats included, what was dismissed left out. A Signal that is evidence of several claims counts for each.'
const THEN = `Nodes are those that Signals came to: this time has more than ${MAX_PLACED}, too many to tell those of now.`

/** How to read figures of events where they are easily taken for Signals; null where nothing can be mistaken. */
const noteOnEvents = ({ metrics, groupBy, filters, places }: Asked): string | null => {
  const fields = [...groupBy, ...filters.map(({ field }) => field)]
  const saysWhat = fields.some(field => SAYS_WHAT.has(field))
  const notes = [
    ...(metrics.includes('count') && !saysWhat ? [EVENTS] : []),
    ...(metrics.length > 0 && groupBy.includes('classification') && !saysWhat ? [EMPTY] : []),
    ...(fields.includes('claim') ? [CLAIM] : []),
    ...(fields.includes('node') && places.node === undefined ? [THEN] : []),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}

const LATENCY_METRICS: readonly Metric[] = ['p95_elapsed_ms', 'p50_elapsed_ms', 'count']
/** From a signal's receipt to its row. */
const INSERTED: readonly Filter[] = [
  { field: 'kind', op: 'in', values: ['signal.step'] },
  { field: 'step', op: 'in', values: ['insert'] },
  { field: 'outcome', op: 'in', values: ['next'] },
]

/** By which time the answer counts: health of sources and latency are of requests, as they came. */
export const clockOf = ({ question, clock }: Pick<ActivityInput, 'question' | 'clock'>): Clock =>
  question === 'latency' || question === 'sources' ? 'received' : (clock ?? 'occurred')

/** Answers one page of what is asked. */
export const answerQuestion = async (
  input: ActivityInput,
  range: TimeRange,
  offset: number,
  context: ReadContext,
): Promise<ActivityPage> => {
  const { question } = input
  const { services, caller } = context
  const page = { limit: input.limit ?? DEFAULT_LIMIT, offset }
  const groupBy = input.group_by ?? []
  const filters = await resolveFilters(input.filters ?? [], context)
  const before = input.compare === true ? previousPeriod(range) : null
  const clock = clockOf(input)
  const placed = (fields: readonly Field[], from: Date) =>
    placeSignals({ clock, from, to: range.to, groupBy: fields, filters }, context)
  const figures = async (metrics: readonly Metric[], kept: readonly Filter[]): Promise<ActivityPage> => {
    const order = orderOf(input.order, metrics, range.granularity)
    const places = await placed(groupBy, before?.from ?? range.from)
    return {
      ...(await readFigures(
        services.analytics,
        caller.workspaceId,
        { ...range, clock, metrics, groupBy, filters: kept, places, order, before },
        page,
      )),
      note: noteOnEvents({ metrics: question === 'latency' ? [] : metrics, groupBy, filters, places }),
    }
  }

  if (question === 'funnel')
    return pageOf(await funnel(context, { ...range, clock }, input.compare === true), page, FUNNEL_NOTE)
  if (question === 'sources') return pageOf(await sourceFigures(context, range), page, SOURCES_NOTE)
  if (question === 'trending') {
    const fields = input.group_by ?? (['node'] as const)
    const question = { range, clock, groupBy: fields, filters, places: await placed(fields, pastOf(range)) }
    const risen = await trending(services.analytics, caller.workspaceId, question)
    return pageOf(risen ?? [], page, risen === null ? NO_PAST_NOTE : TRENDING_NOTE)
  }
  if (question === 'latency') return figures(LATENCY_METRICS, [...INSERTED, ...filters])
  return figures(input.metrics ?? ['count'], filters)
}
